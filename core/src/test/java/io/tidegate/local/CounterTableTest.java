package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class CounterTableTest {

  private final CounterTable table = new CounterTable();

  private static SeriesCounter counter(String identifier) {
    return new SeriesCounter(identifier, 0);
  }

  private SeriesCounter add(String identifier) {
    SeriesCounter counter = counter(identifier);
    assertThat(table.putIfAbsent(counter)).isNull();
    return counter;
  }

  private static List<SeriesCounter> all(CounterTable table) {
    List<SeriesCounter> all = new ArrayList<>();
    table.iterator().forEachRemaining(all::add);
    return all;
  }

  /** One of 2^17 texts with the same hash. */
  private static String colliding(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 17; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void behavesLikeAMap() {
    Property.check(100, random -> {
      CounterTable tested = new CounterTable();
      Map<String, SeriesCounter> model = new HashMap<>();
      for (int i = random.sized(2_000); i > 0; i--) {
        changeBoth(tested, model, random);
      }
      assertThat(tested.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(all(tested)).containsExactlyInAnyOrderElementsOf(model.values());
      model.forEach((identifier, counter) -> assertThat(tested.find(identifier)).isSameAs(counter));
    });
  }

  private static void changeBoth(
      CounterTable tested, Map<String, SeriesCounter> model, Generator random) {
    String identifier =
        random.nextInt(4) == 0 ? colliding(random.nextInt(60)) : "user_" + random.nextInt(1_000);
    SeriesCounter known = model.get(identifier);
    assertThat(tested.find(identifier)).isSameAs(known);
    if (random.nextInt(3) > 0) {
      SeriesCounter fresh = counter(identifier);
      assertThat(tested.putIfAbsent(fresh)).isSameAs(known);
      model.putIfAbsent(identifier, fresh);
    } else if (known == null) {
      assertThat(tested.remove(counter(identifier))).isFalse();
    } else {
      assertThat(tested.remove(counter(identifier))).as("another of that name").isFalse();
      assertThat(tested.remove(known)).isTrue();
      model.remove(identifier);
    }
  }

  @Test
  void removedCounterKeepsNoOther() {
    List<SeriesCounter> counters =
        IntStream.range(0, 1_000).mapToObj(i -> add("user_" + i)).toList();
    counters.forEach(table::remove);
    assertThat(counters).extracting(SeriesCounter::next).containsOnlyNulls();
    assertThat(table.isEmpty()).isTrue();
  }

  @Test
  void chainsAreShort() {
    IntStream.range(0, 100_000).forEach(i -> add("user_" + i));
    long steps = all(table).stream().mapToLong(CounterTableTest::chainFrom).sum();
    assertThat(steps).as("of 100,000 walks to the end of a chain").isLessThan(150_000);
  }

  /** A client chooses identifiers of one hash; all other lookups must not suffer. */
  @Test
  void chainsOfCollidingIdentifiersAreBounded() {
    for (int i = 0; i < 100_000; i++) {
      add(colliding(i));
      add("user_" + i);
    }
    List<SeriesCounter> all = all(table);
    assertThat(all).hasSize(200_000);
    assertThat(all).allMatch(each -> chainFrom(each) <= CounterTable.MAX_CHAIN);
    for (int i = 0; i < 100_000; i++) {
      assertThat(table.find(colliding(i)).identifier()).isEqualTo(colliding(i));
    }
    assertThat(table.find(colliding(100_000))).isNull();
    all.forEach(each -> assertThat(table.remove(each)).isTrue());
    assertThat(table.isEmpty()).isTrue();
  }

  /** Number of counters from one to the end of its chain. */
  private static int chainFrom(SeriesCounter counter) {
    int length = 0;
    for (SeriesCounter each = counter; each != null; each = each.next()) {
      length++;
    }
    return length;
  }

  @Test
  void walkFindsAllThatStayWhileOthersAreAddedAndRemoved() {
    Property.check(100, random -> {
      CounterTable walked = new CounterTable();
      Set<SeriesCounter> staying = new HashSet<>();
      List<SeriesCounter> leaving = new ArrayList<>();
      for (int i = random.sized(300); i > 0; i--) {
        SeriesCounter counter = counter(random.nextInt(5) == 0 ? colliding(i) : "user_" + i);
        walked.putIfAbsent(counter);
        if (random.nextBoolean()) {
          staying.add(counter);
        } else {
          leaving.add(counter);
        }
      }
      Set<SeriesCounter> seen = new HashSet<>();
      Iterator<SeriesCounter> walk = walked.iterator();
      int added = 0;
      while (walk.hasNext()) {
        seen.add(walk.next());
        for (int i = random.nextInt(4); i > 0 && added < 3_000; i--) {
          walked.putIfAbsent(counter("new_" + added++));
        }
        if (!leaving.isEmpty() && random.nextBoolean()) {
          walked.remove(leaving.remove(leaving.size() - 1));
        }
      }
      assertThat(seen).containsAll(staying);
    });
  }

  @Test
  void walkEnds() {
    assertThat(table.iterator().hasNext()).isFalse();
    Assertions.assertThatThrownBy(() -> table.iterator().next())
        .isInstanceOf(NoSuchElementException.class);
  }
}
