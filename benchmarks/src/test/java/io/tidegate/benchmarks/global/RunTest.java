package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.benchmarks.GlobalFigures.Load;
import io.tidegate.benchmarks.GlobalFigures.Tick;
import io.tidegate.testkit.MariaDbServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Small runs with a real database: that what is measured goes on at all. */
class GlobalRunTest {

  private static final GlobalSettings TINY = new GlobalSettings(
      true, 1, 2_000, 300, List.of(), 500, 20, 3_000, 2_000, 1_000, 1, List.of(2), 200, List.of(1));

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    server = GlobalDatabase.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aFleetAsksAndTells() {
    GlobalTraffic traffic = new GlobalTraffic(300, 2_000);
    GlobalLoad.Outcome outcome =
        new GlobalLoad(server, TINY).measure(GlobalPolicy.ADAPTIVE, traffic, 300, 1);
    Load load = outcome.loads().get(0);
    assertThat(load.use().driven().decisions()).isPositive();
    assertThat(load.use().rowsWrittenPerSecond()).isPositive();
    assertThat(load.use().rowsReadPerSecond()).isPositive();
    assertThat(load.use().stored().rowsWritten()).isPositive();
    assertThat(load.use().exchangePercent()).isPositive();
    assertThat(load.size().rows()).isPositive();
    assertThat(outcome.lag().samples()).isPositive();
    assertThat(outcome.lag().unknown()).isZero();
  }

  @Test
  void everyPolicyLetsAtLeastTheLimitThrough() {
    assertThat(new GlobalSpending(server, TINY).measure())
        .hasSize(9)
        .allSatisfy(spending -> assertThat(spending.timesLimit()).isBetween(0.9, 10.0));
  }

  @Test
  void theWorstWindowMayBeginAnywhere() {
    assertThat(GlobalSpending.most(List.of(0L, 50L, 90L, 100L, 110L, 149L, 200L), 100))
        .as("50 to 149")
        .isEqualTo(5);
  }

  @Test
  void ticksTakeLongerTheMoreHasChanged() {
    List<Tick> ticks = new GlobalTicks(TINY).measure();
    assertThat(ticks).hasSize(GlobalTicks.CHANGED.size());
    assertThat(ticks.get(0).millis()).isGreaterThan(ticks.get(ticks.size() - 1).millis());
  }

  @Test
  void theDatabaseIsAskedForEverything() {
    assertThat(new GlobalCeiling(server, TINY).measure())
        .hasSize(GlobalCeiling.Kind.values().length)
        .allSatisfy(ceiling -> assertThat(ceiling.rowsPerSecond() / ceiling.callsPerSecond())
            .as("rows of each call, all of which there are: %s", ceiling)
            .isCloseTo(GlobalCeiling.ROWS, within(1.0)));
  }

  @Test
  void connectionsWriteAndReadLikeAFleet() {
    GlobalSettings settings = new GlobalSettings(
        true,
        1,
        2_000,
        300,
        List.of(),
        500,
        20,
        3_000,
        2_000,
        1_000,
        1,
        List.of(2),
        1_500,
        List.of(1));
    assertThat(new GlobalDatabaseLoad(server, settings).measure())
        .singleElement()
        .satisfies(load -> assertThat(load.rowsWrittenPerSecond()).isBetween(100.0, 1_500.0))
        .satisfies(load -> assertThat(load.rowsReadPerSecond()).isPositive());
  }
}
