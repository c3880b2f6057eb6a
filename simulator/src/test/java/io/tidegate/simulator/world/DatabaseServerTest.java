package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DatabaseServerTest {

  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long BEGIN = Node.EPOCH_MILLIS;
  private static final Scope SCOPE = new Scope("acme", "login", 60_000);

  private final Timeline timeline = new Timeline();
  private final DatabaseServer database = new DatabaseServer(timeline);

  private static WindowCell cell(String identifier, int window) {
    return WindowCell.at(new Series(SCOPE, identifier), BEGIN + window * 60_000L);
  }

  private static Component component(String region, String identifier, long count) {
    return new Component(region, cell(identifier, 0), count);
  }

  private void upsertAt(long millis, Component... components) {
    timeline.runUntil(millis * MILLI);
    database.upsert(List.of(components), timeline.nowNanos());
  }

  private List<Component> changedSince(long millis) {
    return changedSince(BEGIN + millis, BEGIN);
  }

  private List<Component> changedSince(long atMillis, long nowMillis) {
    return database.changedSince(atMillis, nowMillis, region -> true);
  }

  @Test
  void rowsOfSomeRegionsAreRead() {
    upsertAt(1, component("eu", "a", 5), component("us", "a", 7), component("asia", "a", 1));
    assertThat(database.changedSince(0, BEGIN, "eu"::equals))
        .containsExactly(component("eu", "a", 5));
    assertThat(database.changedSince(0, BEGIN, region -> !region.equals("eu")))
        .containsExactly(component("us", "a", 7), component("asia", "a", 1));
    assertThat(database.read()).isEqualTo(3);
  }

  @Test
  void keepsTheGreatestCountOfEachRegion() {
    upsertAt(1, component("eu", "a", 5), component("us", "a", 7));
    upsertAt(2, component("eu", "a", 9), component("us", "a", 3));
    assertThat(database.count("eu", cell("a", 0))).isEqualTo(9);
    assertThat(database.count("us", cell("a", 0))).isEqualTo(7);
    assertThat(database.count("us", cell("b", 0))).isZero();
    assertThat(database.liveRows()).isEqualTo(2);
    assertThat(database.written()).isEqualTo(4);
  }

  @Test
  void changesAreReadOldestFirst() {
    upsertAt(1, component("eu", "a", 1));
    upsertAt(2, component("eu", "b", 1));
    upsertAt(3, component("eu", "c", 1));
    upsertAt(4, component("eu", "a", 2));
    assertThat(changedSince(3)).containsExactly(component("eu", "c", 1), component("eu", "a", 2));
    assertThat(changedSince(0))
        .containsExactly(component("eu", "b", 1), component("eu", "c", 1), component("eu", "a", 2));
    assertThat(changedSince(5)).isEmpty();
    assertThat(database.newestMillis()).isEqualTo(BEGIN + 4);
    assertThat(database.read()).isEqualTo(5);
  }

  @Test
  void anEqualOrLowerCountChangesNothing() {
    upsertAt(1, component("eu", "a", 5));
    upsertAt(2, component("eu", "a", 5));
    upsertAt(3, component("eu", "a", 4));
    assertThat(database.newestMillis()).isEqualTo(BEGIN + 1);
    assertThat(changedSince(2)).isEmpty();
  }

  @Test
  void theUpdateTimeIsTheStartOfTheStatement() {
    upsertAt(100, component("eu", "quick", 1));
    database.upsert(List.of(component("us", "slow", 1)), 40 * MILLI);
    assertThat(database.newestMillis()).isEqualTo(BEGIN + 100);
    assertThat(changedSince(41)).containsExactly(component("eu", "quick", 1));
    assertThat(changedSince(40))
        .containsExactly(component("us", "slow", 1), component("eu", "quick", 1));
  }

  @Test
  void expiredRowsAreNotRead() {
    upsertAt(1, component("eu", "a", 1), new Component("eu", cell("a", 1), 1));
    assertThat(changedSince(0, BEGIN + 119_999)).hasSize(2);
    assertThat(changedSince(0, BEGIN + 120_000))
        .containsExactly(new Component("eu", cell("a", 1), 1));
    timeline.runUntil(120 * SECOND);
    assertThat(database.liveRows()).isEqualTo(1);
  }

  @Test
  void expiredRowsAreDeleted() {
    upsertAt(1, component("eu", "old", 1));
    timeline.runUntil(120 * SECOND);
    for (int i = 1; i <= 100_000; i++) {
      database.upsert(List.of(new Component("eu", cell("new", 2), i)), timeline.nowNanos());
    }
    assertThat(database.rowsInMemory()).isEqualTo(1);
    assertThat(changedSince(0, BEGIN)).hasSize(1);
  }

  @Test
  void losesRecentCommits() {
    upsertAt(1_000, component("eu", "a", 5), component("eu", "b", 1));
    upsertAt(2_000, component("eu", "a", 6));
    upsertAt(3_000, component("eu", "a", 7), component("us", "c", 1));
    upsertAt(3_500, component("eu", "b", 1)); // changes nothing
    database.loseCommitsSince(2_500 * MILLI);
    assertThat(database.count("eu", cell("a", 0))).isEqualTo(6);
    assertThat(database.count("us", cell("c", 0))).isZero();
    assertThat(database.newestMillis()).isEqualTo(BEGIN + 2_000);
    database.loseCommitsSince(0);
    assertThat(database.liveRows()).isZero();
    assertThat(database.newestMillis()).isZero();
  }

  @Test
  void keepsOldCommits() {
    upsertAt(1_000, component("eu", "a", 5));
    upsertAt(20_000, component("eu", "b", 5));
    database.loseCommitsSince(0);
    assertThat(database.count("eu", cell("a", 0)))
        .as("commits older than ten seconds have reached every server")
        .isEqualTo(5);
    assertThat(database.count("eu", cell("b", 0))).isZero();
  }

  /** Compares with a plain list of rows, with slow statements and lost commits. */
  @Test
  void agreesWithAListOfRows() {
    record Row(Component component, long millis) {}
    record Key(String region, WindowCell cell) {}
    Random random = new Random(11);
    Map<Key, Row> rows = new HashMap<>();
    List<Map<Key, Row>> versions = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      timeline.runUntil((i + 1) * MILLI);
      versions.add(new HashMap<>(rows));
      long beganMillis = Math.max(0, i + 1 - random.nextInt(20));
      List<Component> pushed = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        pushed.add(component(
            "region-" + random.nextInt(3),
            "user-" + random.nextInt(5) + j,
            1 + random.nextInt(i + 1)));
      }
      database.upsert(pushed, beganMillis * MILLI);
      for (Component component : pushed) {
        Key key = new Key(component.region(), component.cell());
        Row known = rows.get(key);
        if (known == null || known.component.count() < component.count()) {
          rows.put(key, new Row(component, beganMillis));
        }
      }
      if (random.nextInt(100) == 0) {
        int lost = random.nextInt(Math.min(i + 1, 50));
        database.loseCommitsSince((i + 1 - lost) * MILLI);
        rows = new HashMap<>(versions.get(i - lost));
        for (int gone = i - lost + 1; gone <= i; gone++) {
          versions.set(gone, new HashMap<>(rows));
        }
        assertThat(database.liveRows()).isEqualTo(rows.size());
      }
      long since = (long) i - random.nextInt(40);
      assertThat(changedSince(since))
          .containsExactlyInAnyOrderElementsOf(rows.values().stream()
              .filter(row -> row.millis >= since)
              .map(Row::component)
              .toList());
    }
  }
}
