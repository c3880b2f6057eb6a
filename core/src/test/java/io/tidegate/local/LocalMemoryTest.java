package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The bytes of heap per series, without its identifier: the counter, its cells, and its place in
 * the table. The bounds are those of JDK 17 with a margin of 8 to 12 bytes; the JDKs after it take
 * less.
 */
class LocalMemoryTest {

  private static final int SERIES = 100_000;
  private static final long WINDOW = 60_000;
  private static final long START = 1_000_000 * WINDOW;
  private static final String[] IDENTIFIERS = new String[SERIES];

  @BeforeAll
  static void createIdentifiers() {
    for (int i = 0; i < SERIES; i++) {
      IDENTIFIERS[i] = "user_" + i;
    }
  }

  private static long bytesAlone(int cells) {
    return bytes(false, null, (table, identifier) -> admit(table, identifier, cells));
  }

  private static long bytesShared(int cells, Consumer<SharedCounter> exchange) {
    return bytes(true, Duration.ZERO, (table, identifier) -> {
      for (int cell = 1; cell <= cells; cell++) {
        table.decideFromMemory(identifier, 100, 1, START + (cell - 1) * WINDOW);
        exchange.accept(table.findShared(identifier));
      }
    });
  }

  private static void admit(SeriesTable table, String identifier, int cells) {
    for (int cell = 0; cell < cells; cell++) {
      table.decideFromMemory(identifier, 100, 1, START + cell * WINDOW);
    }
  }

  private interface Use {
    void of(SeriesTable table, String identifier);
  }

  private static long bytes(boolean hasOrigin, Duration shortestPublished, Use use) {
    long before = usedBytes();
    SeriesStore store = new SeriesStore(
        SERIES, hasOrigin, shortestPublished, new SeriesStore.Listener() {}, () -> START);
    SeriesTable table = store.attachedTable(new Scope("acme", "login", WINDOW));
    try {
      for (String identifier : IDENTIFIERS) {
        use.of(table, identifier);
      }
      while (store.unconfirmed().poll() != null || store.unpushed().poll() != null) {
        // the queues are empty when all counts are confirmed and pushed
      }
      return (usedBytes() - before) / SERIES;
    } finally {
      Reference.reachabilityFence(store);
    }
  }

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static final CellAnswer NOTHING = new CellAnswer(0, 0, 0, 0);

  /** A replay that the origin confirms, and a read of both cells. */
  private static void confirm(SharedCounter counter) {
    counter.unconfirmed().forEach(cell -> counter.merge(cell, NOTHING, START));
    List<OwnCell> cells = counter.cells();
    counter.refresh(cells, List.of(NOTHING, NOTHING), START, START);
  }

  private static void confirmAndPush(SharedCounter counter) {
    confirm(counter);
    counter
        .unpushed(counter.startMillis())
        .forEach(cell -> counter.confirmPushed(cell.startMillis(), cell.count(), 1));
  }

  @Test
  void ofASeriesThatCountsAlone() {
    assertThat(bytesAlone(1)).isBetween(50L, 76L);
    assertThat(bytesAlone(2)).isBetween(50L, 76L);
  }

  @Test
  void ofASeriesThatTheOriginHolds() {
    assertThat(bytesShared(1, LocalMemoryTest::confirm)).isBetween(110L, 164L);
    assertThat(bytesShared(2, LocalMemoryTest::confirm)).isBetween(110L, 196L);
  }

  @Test
  void ofASeriesThatTheGlobalCountersHoldToo() {
    assertThat(bytesShared(1, LocalMemoryTest::confirmAndPush)).isBetween(130L, 188L);
    assertThat(bytesShared(2, LocalMemoryTest::confirmAndPush)).isBetween(130L, 244L);
  }

  @Test
  void ofASeriesThatOneOtherRegionCounts() {
    assertThat(bytesShared(2, counter -> {
          confirmAndPush(counter);
          counter.mergeImported(counter.startMillis(), 1, 10, counter.startMillis());
        }))
        .isBetween(160L, 296L);
  }
}
