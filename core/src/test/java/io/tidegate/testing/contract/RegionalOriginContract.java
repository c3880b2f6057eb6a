package io.tidegate.testing.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Bounds;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link RegionalOrigin}, as tests. Every implementation passes them; those outside
 * this project extend this class too.
 *
 * <pre>{@code
 * class EtcdOriginTest extends RegionalOriginContract {
 *
 *   private static EtcdOrigin origin;
 *
 *   @BeforeAll
 *   static void connect() {
 *     origin = new EtcdOrigin("http://localhost:2379");
 *   }
 *
 *   @AfterAll
 *   static void close() {
 *     origin.close();
 *   }
 *
 *   @Override
 *   protected RegionalOrigin origin() {
 *     return origin;
 *   }
 * }
 * }</pre>
 *
 * <p>The class is in the test-jar of {@code tidegate-core}. Add JUnit Jupiter and AssertJ as well:
 * Maven does not pass on the test dependencies of a test-jar.
 *
 * <pre>{@code
 * <dependency>
 *   <groupId>io.tidegate</groupId>
 *   <artifactId>tidegate-core</artifactId>
 *   <version>${tidegate.version}</version>
 *   <type>test-jar</type>
 *   <scope>test</scope>
 * </dependency>
 * <dependency>
 *   <groupId>org.junit.jupiter</groupId>
 *   <artifactId>junit-jupiter</artifactId>
 *   <version>6.1.3</version>
 *   <scope>test</scope>
 * </dependency>
 * <dependency>
 *   <groupId>org.assertj</groupId>
 *   <artifactId>assertj-core</artifactId>
 *   <version>3.27.7</version>
 *   <scope>test</scope>
 * </dependency>
 * }</pre>
 *
 * <p>The tests cover what the limiter relies on while the store is available. An adapter adds tests
 * of its own for outages: calls must fail or stay incomplete, never block the calling thread, and
 * work again after the outage without being retried by the adapter.
 */
public abstract class RegionalOriginContract extends RegistrationContract {

  private static final Writer ONE = new Writer("eu", "one.1");
  private static final Writer TWO = new Writer("eu", "two.1");

  private final Scope scope = new Scope("acme", "login", Bounds.MAX_WINDOW_MILLIS);

  private WindowCell cell(String identifier) {
    return new WindowCell(new Series(scope, identifier), 57);
  }

  private RegionalCount read(Writer writer, WindowCell cell) {
    return readAll(writer, List.of(cell)).get(0);
  }

  private List<RegionalCount> readAll(Writer writer, List<WindowCell> cells) {
    return origin()
        .read(cells.stream().map(cell -> new OwnCount(writer, cell, 0)).toList())
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  private RegionalCount replay(Writer writer, WindowCell cell, long count) {
    return replayAll(List.of(new OwnCount(writer, cell, count))).get(0);
  }

  private List<RegionalCount> replayAll(List<OwnCount> counts) {
    return origin().replay(counts).stream()
        .map(
            stage -> stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join())
        .toList();
  }

  @Test
  void unknownCellHasCountZero() {
    assertThat(read(ONE, cell("unseen"))).isEqualTo(new RegionalCount(0, 0));
  }

  @Test
  void replayReturnsTheCountsBeforeIt() {
    assertThat(replay(ONE, cell("before"), 5)).isEqualTo(new RegionalCount(0, 0));
    assertThat(replay(TWO, cell("before"), 7)).isEqualTo(new RegionalCount(5, 0));
    assertThat(replay(ONE, cell("before"), 9)).isEqualTo(new RegionalCount(12, 5));
    assertThat(read(ONE, cell("before"))).isEqualTo(new RegionalCount(16, 9));
    assertThat(read(TWO, cell("before"))).isEqualTo(new RegionalCount(16, 7));
  }

  @Test
  void repeatedCountChangesNothing() {
    replay(ONE, cell("twice"), 5);
    replay(ONE, cell("twice"), 5);
    assertThat(read(TWO, cell("twice")).total()).isEqualTo(5);
  }

  @Test
  void lateLowerCountChangesNothing() {
    replay(ONE, cell("late"), 9);
    assertThat(replay(ONE, cell("late"), 5)).isEqualTo(new RegionalCount(9, 9));
    assertThat(read(ONE, cell("late"))).isEqualTo(new RegionalCount(9, 9));
  }

  @Test
  void oneReadReturnsSeveralCellsOfASeries() {
    WindowCell cell = cell("pair");
    replay(ONE, cell, 3);
    replay(TWO, cell.previous(), 4);
    assertThat(readAll(ONE, List.of(cell, cell.previous())))
        .containsExactly(new RegionalCount(3, 3), new RegionalCount(4, 0));
  }

  @Test
  void readRaisesTheCountsThatItCarries() {
    WindowCell cell = cell("carried");
    replay(TWO, cell, 4);
    List<OwnCount> counts =
        List.of(new OwnCount(ONE, cell, 3), new OwnCount(ONE, cell.previous(), 0));
    List<RegionalCount> before = origin()
        .read(counts)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
    assertThat(before).containsExactly(new RegionalCount(4, 0), new RegionalCount(0, 0));
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(7, 3));
  }

  @Test
  void regionsDoNotShareCounts() {
    replay(ONE, cell("region"), 3);
    replay(new Writer("us", "one.1"), cell("region"), 4);
    assertThat(read(ONE, cell("region")).total()).isEqualTo(3);
  }

  @Test
  void seriesWithUnusualNamesDoNotShareCounts() {
    List<String> names = List.of(
        "a:b",
        "a",
        "b",
        "a%3ab",
        "{a}",
        "a}",
        "{a",
        " a",
        "a ",
        "A",
        "ä",
        "a\u0308",
        "日本",
        "😀",
        "\ud83d",
        "\ude00",
        "\ud83d\ud83d",
        "?",
        "\ufffd",
        "\u0000",
        "\n",
        "%",
        "%25",
        "a\tb");
    List<OwnCount> counts = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Series series = new Series(new Scope(names.get(i), "n", 1_000_000), "x");
      counts.add(new OwnCount(ONE, cell(names.get(i)), i + 1));
      counts.add(new OwnCount(ONE, new WindowCell(series, 1), i + 101));
    }
    replayAll(counts);
    for (OwnCount count : counts) {
      assertThat(read(TWO, count.cell()).total()).as("%s", count.cell()).isEqualTo(count.count());
    }
  }

  @Test
  void writersWithUnusualNamesHaveTheirOwnCounts() {
    List<String> names = List.of(
        "a b", "a%20b", "\ud83d", "\ude00", "?", "ä", "a:{}", ":total", "%3atotal", "total");
    for (int i = 0; i < names.size(); i++) {
      replay(new Writer("eu", names.get(i)), cell("writers"), i + 1);
    }
    for (int i = 0; i < names.size(); i++) {
      assertThat(read(new Writer("eu", names.get(i)), cell("writers")))
          .as(names.get(i))
          .isEqualTo(new RegionalCount(55, i + 1));
    }
  }

  @Test
  void largestCountsAreExact() {
    for (int i = 0; i < 10; i++) {
      replay(new Writer("eu", "node_" + i), cell("great"), Bounds.MAX_TOKENS - i);
    }
    assertThat(read(ONE, cell("great")).total()).isEqualTo(10 * Bounds.MAX_TOKENS - 45);
  }

  @Test
  void replayTakesThousandsOfCounts() {
    List<OwnCount> counts = IntStream.range(0, 5_000)
        .mapToObj(i -> new OwnCount(ONE, cell("many_" + i), i + 1))
        .toList();
    assertThat(replayAll(counts)).hasSize(5_000).allMatch(new RegionalCount(0, 0)::equals);
    assertThat(IntStream.of(0, 17, 4_999))
        .allMatch(i -> read(TWO, cell("many_" + i)).total() == i + 1);
  }

  private void store(String region, List<Component> components) {
    origin()
        .store(region, components)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  private void store(String owner, String region, WindowCell cell, long count) {
    store(owner, List.of(new Component(region, cell, count)));
  }

  @Test
  void storeRaisesTheCountOfARegionAndNeverLowersIt() {
    WindowCell cell = cell("imported");
    for (long count : List.of(5L, 3L, 5L, 9L, 8L)) {
      store("eu", "us", cell, count);
    }
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(0, 0, 9, 1, 0));
  }

  @Test
  void importedCountIsTheSumOverOtherRegions() {
    WindowCell cell = cell("several regions");
    store("eu", List.of(new Component("us", cell, 5), new Component("ap", cell, 7)));
    store("eu", List.of(new Component("sa", cell, 1), new Component("us", cell, 6)));
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(0, 0, 14, 3, 0));
  }

  @Test
  void importsAndPushedCountAreNotPartOfTheTotal() {
    WindowCell cell = cell("apart");
    replay(ONE, cell, 2);
    store("eu", List.of(new Component("us", cell, 5), new Component("eu", cell, 9)));
    assertThat(replay(TWO, cell, 4)).isEqualTo(new RegionalCount(2, 0, 5, 1, 9));
    assertThat(read(TWO, cell)).isEqualTo(new RegionalCount(6, 4, 5, 1, 9));
  }

  @Test
  void replayDoesNotChangeImportsAndPushedCount() {
    WindowCell cell = cell("kept");
    store("eu", List.of(new Component("us", cell, 5), new Component("eu", cell, 3)));
    for (Writer writer : List.of(ONE, TWO, new Writer("eu", "us"), new Writer("eu", "eu"))) {
      replay(writer, cell, 10);
    }
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(40, 10, 5, 1, 3));
  }

  @Test
  void componentOfTheOwnRegionIsThePushedCount() {
    WindowCell cell = cell("pushed");
    for (long count : List.of(5L, 3L, 5L, 9L, 8L)) {
      store("eu", "eu", cell, count);
    }
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(0, 0, 0, 0, 9));
  }

  @Test
  void storedCellHasTheCountsOfLaterWriters() {
    WindowCell cell = cell("stored first");
    store("eu", "us", cell, 5);
    assertThat(replay(ONE, cell, 3)).isEqualTo(new RegionalCount(0, 0, 5, 1, 0));
    assertThat(replay(TWO, cell, 4)).isEqualTo(new RegionalCount(3, 0, 5, 1, 0));
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(7, 3, 5, 1, 0));
  }

  @Test
  void readThatCarriesCountsReturnsImports() {
    WindowCell cell = cell("carried with imports");
    store("eu", List.of(new Component("us", cell, 5), new Component("eu", cell, 2)));
    store("eu", "ap", cell.previous(), 6);
    List<OwnCount> counts =
        List.of(new OwnCount(ONE, cell, 3), new OwnCount(ONE, cell.previous(), 0));
    List<RegionalCount> before = origin()
        .read(counts)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
    assertThat(before)
        .containsExactly(new RegionalCount(0, 0, 5, 1, 2), new RegionalCount(0, 0, 6, 1, 0));
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(3, 3, 5, 1, 2));
  }

  @Test
  void regionsDoNotShareImports() {
    WindowCell cell = cell("owners");
    List<Component> components =
        List.of(new Component("eu", cell, 5), new Component("us", cell, 7));
    store("eu", components);
    store("us", components);
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(0, 0, 7, 1, 5));
    assertThat(read(new Writer("us", "one.1"), cell)).isEqualTo(new RegionalCount(0, 0, 5, 1, 7));
    assertThat(read(new Writer("ap", "one.1"), cell)).isEqualTo(new RegionalCount(0, 0));
  }

  /** Some are names of fields in Redis, or look like them. */
  @Test
  void regionsWithUnusualNamesAreCountedApart() {
    List<String> regions = List.of(
        ":total",
        ":imported",
        ":regions",
        ":pushed",
        ":from:us",
        "%3afrom%3aus",
        "us",
        "US",
        "us ",
        "one.1",
        "a:b",
        "a%3ab",
        "{a}",
        "\ud83d",
        "\ude00",
        "?",
        "日本",
        "é".repeat(Bounds.MAX_NAME_LENGTH));
    WindowCell cell = cell("unusual regions");
    replay(ONE, cell, 1_000);
    for (int i = 0; i < regions.size(); i++) {
      store("eu", regions.get(i), cell, 100); // one count for two names would be raised once
      assertThat(read(ONE, cell))
          .as(regions.get(i))
          .isEqualTo(new RegionalCount(1_000, 1_000, 100L * (i + 1), i + 1, 0));
    }
    for (String region : regions) {
      store(region, region, cell, 1);
      assertThat(read(new Writer(region, "one.1"), cell))
          .as(region)
          .isEqualTo(new RegionalCount(0, 0, 0, 0, 1));
    }
  }

  @Test
  void writersNamedLikeRegionsHaveTheirOwnCounts() {
    WindowCell cell = cell("writers like regions");
    store("eu", List.of(new Component("us", cell, 5), new Component("eu", cell, 6)));
    List<String> names = List.of(":imported", ":regions", ":pushed", ":from:us", "us", "eu");
    for (int i = 0; i < names.size(); i++) {
      assertThat(replay(new Writer("eu", names.get(i)), cell, 10))
          .as(names.get(i))
          .isEqualTo(new RegionalCount(10L * i, 0, 5, 1, 6));
    }
  }

  @Test
  void largestImportsAreExact() {
    WindowCell cell = cell("great imports");
    store("eu", "us", cell, (1L << 53) - 3);
    store("eu", "ap", cell, 2);
    assertThat(read(ONE, cell).imported()).isEqualTo((1L << 53) - 1);
    store("eu", "ap", cell, 3);
    store("eu", "eu", cell, 1L << 53);
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(0, 0, 1L << 53, 2, 1L << 53));
  }

  @Test
  void storeTakesThousandsOfComponents() {
    store(
        "eu",
        IntStream.range(0, 5_000)
            .mapToObj(i -> new Component(i % 2 == 0 ? "us" : "eu", cell("stored_" + i), i + 1))
            .toList());
    assertThat(read(ONE, cell("stored_0"))).isEqualTo(new RegionalCount(0, 0, 1, 1, 0));
    assertThat(read(ONE, cell("stored_17"))).isEqualTo(new RegionalCount(0, 0, 0, 0, 18));
    assertThat(read(ONE, cell("stored_4998"))).isEqualTo(new RegionalCount(0, 0, 4_999, 1, 0));
    assertThat(read(ONE, cell("stored_4999"))).isEqualTo(new RegionalCount(0, 0, 0, 0, 5_000));
  }

  @Test
  void storeOfNothingCompletes() {
    store("eu", List.of());
  }

  @Test
  void concurrentStoresOfTheSameComponentsCountOnce() {
    WindowCell cell = cell("two readers");
    List<Component> components = IntStream.rangeClosed(1, 200)
        .mapToObj(i -> new Component("region_" + i % 4, cell, i))
        .toList();
    List<CompletableFuture<Void>> calls = IntStream.range(0, 8)
        .mapToObj(i -> CompletableFuture.runAsync(
            () -> components.forEach(component -> store("eu", List.of(component)))))
        .toList();
    calls.forEach(CompletableFuture::join);
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(0, 0, 197 + 198 + 199 + 200, 4, 0));
  }

  @Test
  void longestNamesAreStored() {
    String longest = "é".repeat(Bounds.MAX_NAME_LENGTH);
    Series series = new Series(new Scope(longest, longest, 1_000_000), longest);
    Writer writer = new Writer(longest, longest);
    replay(writer, new WindowCell(series, -3), 5);
    assertThat(read(writer, new WindowCell(series, -3))).isEqualTo(new RegionalCount(5, 5));
  }

  private OriginCell inspect(String region, WindowCell cell) {
    return origin()
        .inspect(region, cell)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  @Test
  void inspectionOfAnUnknownCellIsEmpty() {
    assertThat(inspect("eu", cell("never seen"))).isEqualTo(OriginCell.NONE);
  }

  @Test
  void inspectionShowsWhatWasReplayedAndStored() {
    WindowCell cell = cell("inspected");
    replay(ONE, cell, 3);
    replay(TWO, cell, 4);
    replay(new Writer("us", "one.1"), cell, 100);
    store("eu", List.of(new Component("us", cell, 5), new Component("eu", cell, 6)));
    store("eu", "ap", cell.previous(), 7);
    assertThat(inspect("eu", cell))
        .isEqualTo(new OriginCell(Map.of("one.1", 3L, "two.1", 4L), Map.of("us", 5L, "eu", 6L)));
    assertThat(inspect("eu", cell.previous()))
        .isEqualTo(new OriginCell(Map.of(), Map.of("ap", 7L)));
  }

  @Test
  void inspectionChangesNothing() {
    WindowCell cell = cell("inspected twice");
    inspect("eu", cell);
    assertThat(read(ONE, cell)).isEqualTo(RegionalCount.NONE);
    replay(ONE, cell, 3);
    OriginCell before = inspect("eu", cell);
    assertThat(inspect("eu", cell)).isEqualTo(before);
    assertThat(read(ONE, cell)).isEqualTo(new RegionalCount(3, 3));
  }

  @Test
  void inspectionShowsUnusualNames() {
    List<String> names = new ArrayList<>(TrickyNames.DISTINCT);
    names.addAll(List.of(
        ":total",
        ":pushed",
        ":from:us",
        "%3atotal",
        "a%20b",
        "a b",
        "{a}",
        "}",
        "%",
        "%u",
        "%ud83d",
        "\ud83d",
        "\ude00",
        "\ude00\ud83d",
        "\ufffd",
        "\u007f",
        "eu.1",
        ".",
        "é".repeat(512)));
    Set<String> distinct = Set.copyOf(names);
    WindowCell cell = cell("inspected names {:%}\n");
    Map<String, Long> writers = new HashMap<>();
    Map<String, Long> components = new HashMap<>();
    long count = 0;
    for (String name : distinct) {
      count++;
      replay(new Writer("eu", name), cell, count);
      store("eu", name, cell, 1_000 + count);
      writers.put(name, count);
      components.put(name, 1_000 + count);
    }
    assertThat(inspect("eu", cell)).isEqualTo(new OriginCell(writers, components));
  }

  @Test
  void inspectionShowsThousandsOfWriters() {
    WindowCell cell = cell("many writers");
    Map<String, Long> writers = new HashMap<>();
    List<OwnCount> counts = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      writers.put("node." + i, i + 1L);
      counts.add(new OwnCount(new Writer("eu", "node." + i), cell, i + 1));
    }
    replayAll(counts);
    assertThat(inspect("eu", cell)).isEqualTo(new OriginCell(writers, Map.of()));
  }

  @Test
  void inspectionShowsTheLargestCounts() {
    WindowCell cell = cell("inspected great");
    replay(ONE, cell, Bounds.MAX_TOKENS);
    store("eu", "us", cell, 1L << 53);
    assertThat(inspect("eu", cell))
        .isEqualTo(new OriginCell(Map.of("one.1", Bounds.MAX_TOKENS), Map.of("us", 1L << 53)));
  }
}
