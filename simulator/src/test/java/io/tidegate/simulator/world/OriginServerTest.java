package io.tidegate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.Registration;
import io.tidegate.spi.Writer;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OriginServerTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Scope SCOPE = new Scope("acme", "login", 60_000);
  private static final WindowCell CELL = new WindowCell(new Series(SCOPE, "user"), 7);

  private final Timeline timeline = new Timeline();
  private final OriginServer origin = new OriginServer(timeline, 1);

  private RegionalCount raise(String writer, WindowCell cell, long count) {
    return origin.raise(new OwnCount(new Writer("eu", writer), cell, count));
  }

  private RegionalCount read(String writer, WindowCell cell) {
    return origin.read(new OwnCount(new Writer("eu", writer), cell, 0));
  }

  @Test
  void returnsTheCountsFromBefore() {
    assertThat(raise("a", CELL, 5)).isEqualTo(new RegionalCount(0, 0));
    assertThat(raise("b", CELL, 3)).isEqualTo(new RegionalCount(5, 0));
    assertThat(raise("a", CELL, 9)).isEqualTo(new RegionalCount(8, 5));
    assertThat(read("b", CELL)).isEqualTo(new RegionalCount(12, 3));
    assertThat(origin.total(CELL)).isEqualTo(12);
    assertThat(origin.byWriter(CELL)).containsExactly(entry("a", 9L), entry("b", 3L));
  }

  private void store(String region, long count) {
    origin.store("eu", new Component(region, CELL, count));
  }

  private LiveNodes register(String node, int seconds, boolean canRead) {
    return origin.register(new Registration("eu", node, Duration.ofSeconds(seconds), canRead));
  }

  private static LiveNodes live(int count, String reader, boolean newReader) {
    return new LiveNodes(count, Optional.of(reader), newReader);
  }

  @Test
  void countsTheNodesWhoseRegistrationHasNotEnded() {
    assertThat(register("a", 3, false).count()).isEqualTo(1);
    timeline.runUntil(2 * SECOND);
    assertThat(register("b", 3, false).count()).isEqualTo(2);
    timeline.runUntil(3 * SECOND);
    assertThat(register("b", 3, false)).isEqualTo(new LiveNodes(1, Optional.empty(), false));
    assertThat(register("b", 0, true)).isEqualTo(new LiveNodes(0, Optional.empty(), false));
  }

  @Test
  void theFirstNodeThatCanReadIsTheReaderUntilItsLeaseEnds() {
    register("a", 3, false);
    assertThat(register("b", 3, true)).isEqualTo(live(2, "b", true));
    assertThat(register("c", 3, true)).isEqualTo(live(3, "b", false));
    timeline.runUntil(2 * SECOND);
    assertThat(register("b", 3, true)).as("renewed").isEqualTo(live(3, "b", false));
    timeline.runUntil(5 * SECOND - 1);
    assertThat(register("c", 3, true)).isEqualTo(live(2, "b", false));
    timeline.runUntil(5 * SECOND);
    assertThat(register("c", 3, true)).isEqualTo(live(1, "c", true));
  }

  @Test
  void aReaderThatCannotReadOrLeavesIsReplacedAtOnce() {
    register("a", 3, true);
    assertThat(register("a", 3, false)).isEqualTo(new LiveNodes(1, Optional.empty(), false));
    assertThat(register("b", 3, true)).isEqualTo(live(2, "b", true));
    register("b", 0, true);
    assertThat(origin.reader()).isEmpty();
    assertThat(register("a", 3, true)).isEqualTo(live(1, "a", true));
  }

  @Test
  void aLostLeaseLeavesTheNodes() {
    register("a", 3, true);
    origin.loseReader();
    assertThat(register("b", 3, true)).isEqualTo(live(2, "b", true));
    origin.wipe();
    assertThat(register("b", 3, true)).isEqualTo(live(1, "b", true));
  }

  @Test
  void storesImportsApartFromTheCountsOfTheRegion() {
    raise("a", CELL, 5);
    store("us", 7);
    store("asia", 4);
    store("us", 6); // late
    store("eu", 3);
    assertThat(read("a", CELL)).isEqualTo(new RegionalCount(5, 5, 11, 2, 3));
    assertThat(raise("b", CELL, 1)).isEqualTo(new RegionalCount(5, 0, 11, 2, 3));
    assertThat(origin.imports(CELL)).containsExactly(entry("asia", 4L), entry("us", 7L));
    assertThat(origin.pushed(CELL)).isEqualTo(3);
    assertThat(origin.total(CELL)).isEqualTo(6);
    assertThat(origin.stored()).isEqualTo(4);
    assertThat(origin.writes()).isEqualTo(2);
  }

  @Test
  void storesExtendTheLifetimeOfACell() {
    raise("a", CELL, 5);
    timeline.runUntil(100 * SECOND);
    store("us", 7);
    timeline.runUntil(280 * SECOND - 1);
    assertThat(origin.total(CELL)).isEqualTo(5);
    timeline.runUntil(280 * SECOND);
    store("asia", 1);
    assertThat(read("a", CELL)).isEqualTo(new RegionalCount(0, 0, 1, 1, 0));
  }

  @Test
  void neverLowersACount() {
    raise("a", CELL, 9);
    raise("a", CELL, 4);
    assertThat(origin.total(CELL)).isEqualTo(9);
  }

  @Test
  void aCellExpiresThreeWindowsAfterItsLastWrite() {
    raise("a", CELL, 5);
    timeline.runUntil(100 * SECOND);
    raise("a", CELL, 5); // changes nothing, but extends the lifetime
    timeline.runUntil(280 * SECOND - 1);
    assertThat(origin.total(CELL)).isEqualTo(5);
    timeline.runUntil(280 * SECOND);
    assertThat(origin.total(CELL)).isZero();
    assertThat(origin.byWriter(CELL)).isEmpty();
    assertThat(raise("a", CELL, 6)).isEqualTo(new RegionalCount(0, 0));
  }

  @Test
  void readsDoNotExtendTheLifetime() {
    raise("a", CELL, 5);
    timeline.runUntil(179 * SECOND);
    read("a", CELL);
    timeline.runUntil(180 * SECOND);
    assertThat(read("a", CELL)).isEqualTo(new RegionalCount(0, 0));
  }

  @Test
  void losesEverythingWhenItIsWiped() {
    raise("a", CELL, 5);
    store("us", 7);
    store("eu", 5);
    origin.wipe();
    assertThat(origin.total(CELL)).isZero();
    assertThat(raise("b", CELL, 1)).isEqualTo(new RegionalCount(0, 0));
  }

  @Test
  void losesOneOfItsCells() {
    Random random = new Random(1);
    assertThat(origin.loseOneCell(random)).isNull();
    for (int i = 0; i < 10; i++) {
      raise("a", new WindowCell(new Series(SCOPE, "user-" + i), 7), 1);
    }
    WindowCell lost = origin.loseOneCell(random);
    assertThat(lost).isNotNull();
    assertThat(origin.total(lost)).isZero();
    assertThat(origin.cellsInMemory()).isEqualTo(9);
    store("us", 1);
    assertThat(origin.cellsInMemory()).as("a cell of imports").isEqualTo(10);
    timeline.runUntil(180 * SECOND);
    assertThat(origin.loseOneCell(random)).as("all are over").isNull();
  }

  @Test
  void distributesSeriesOverItsParts() {
    OriginServer cluster = new OriginServer(timeline, 3);
    Map<Integer, Integer> series = new HashMap<>();
    for (int i = 0; i < 3_000; i++) {
      series.merge(cluster.part(new Series(SCOPE, "user-" + i)), 1, Integer::sum);
    }
    assertThat(series).containsOnlyKeys(0, 1, 2);
    assertThat(series.values()).allMatch(count -> count > 800);
    assertThat(origin.part(CELL.series())).isZero();
  }

  @Test
  void countsCommandsAndWrites() {
    raise("a", CELL, 5);
    raise("a", CELL, 5);
    read("a", CELL.previous());
    assertThat(origin.commands()).isEqualTo(3);
    assertThat(origin.writes()).isEqualTo(2);
  }

  @Test
  void expiredCellsAreDeleted() {
    for (int i = 0; i < 100_000; i++) {
      raise("a", new WindowCell(new Series(SCOPE, "user-" + i % 50_000), 7), 1 + i);
    }
    timeline.runUntil(181 * SECOND);
    for (int i = 0; i < 100_000; i++) {
      raise("a", CELL, 1 + i);
    }
    assertThat(origin.cellsInMemory()).isEqualTo(1);
  }

  /** Ten writers and twenty cells, none of which expires. */
  @Test
  void agreesWithTheInMemoryOriginOfCore() {
    InMemoryOrigin other = new InMemoryOrigin();
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      Writer writer = new Writer("eu", "node-" + random.nextInt(10));
      WindowCell cell =
          new WindowCell(new Series(SCOPE, "user-" + random.nextInt(10)), random.nextInt(2));
      OwnCount count = new OwnCount(writer, cell, 1 + random.nextInt(1_000));
      if (random.nextInt(3) == 0) {
        String region = List.of("eu", "us", "asia").get(random.nextInt(3));
        Component component = new Component(region, cell, count.count());
        origin.store("eu", component);
        other.store("eu", List.of(component)).toCompletableFuture().join();
      } else if (random.nextBoolean()) {
        assertThat(origin.raise(count))
            .isEqualTo(other.replay(List.of(count)).get(0).toCompletableFuture().join());
      } else {
        assertThat(List.of(origin.read(new OwnCount(writer, cell, 0))))
            .isEqualTo(other
                .read(List.of(new OwnCount(writer, cell, 0)))
                .toCompletableFuture()
                .join());
      }
      assertThat(origin.total(cell)).isEqualTo(other.total("eu", cell));
      if (random.nextInt(2_000) == 0) {
        origin.wipe();
        other.loseCounts();
      }
    }
  }
}
