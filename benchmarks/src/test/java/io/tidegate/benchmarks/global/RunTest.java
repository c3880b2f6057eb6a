package io.tidegate.benchmarks.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.global.Results.Tick;
import io.tidegate.testkit.MariaDbServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Small runs with a real database. */
class RunTest {

  private static final Settings TINY = new Settings(
      true, 1, 2_000, 300, List.of(), 500, 20, 3_000, 2_000, 1_000, 1, List.of(2), 200, List.of(1));

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    server = Database.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aFleetPushesAndPulls() {
    Traffic traffic = new Traffic(300, 2_000);
    FleetLoad.Outcome outcome =
        new FleetLoad(server, TINY).measure(Policy.ADAPTIVE, traffic, 300, 1);
    Load load = outcome.loads().get(0);
    assertThat(load.use().driven().decisions()).isPositive();
    assertThat(load.use().rowsWrittenPerSecond()).isPositive();
    assertThat(load.use().rowsReadPerSecond()).isPositive();
    assertThat(load.use().stored().rowsWritten()).isPositive();
    assertThat(load.use().exchangePercent()).isPositive();
    assertThat(outcome.end().table().rows()).isPositive();
    assertThat(outcome.end().samples()).isPositive();
    assertThat(outcome.end().missing()).isZero();
  }

  @Test
  void everyPolicyAdmitsAtLeastTheLimit() {
    assertThat(new SpendingTrial(server, TINY).measure())
        .hasSize(9)
        .allSatisfy(spending -> assertThat(spending.timesLimit()).isBetween(0.9, 10.0));
  }

  @Test
  void theWorstWindowMayBeginAnywhere() {
    assertThat(SpendingTrial.most(List.of(0L, 50L, 90L, 100L, 110L, 149L, 200L), 100))
        .as("50 to 149")
        .isEqualTo(5);
  }

  @Test
  void ticksWithMoreChangedCellsTakeLonger() {
    List<Tick> ticks = new TickProbe(TINY).measure();
    assertThat(ticks).hasSize(TickProbe.CHANGED.size());
    assertThat(ticks.get(0).millis()).isGreaterThan(ticks.get(ticks.size() - 1).millis());
  }

  @Test
  void everyCallOfACeilingHasAllItsRows() {
    assertThat(new CeilingProbe(server, TINY).measure())
        .hasSize(CeilingProbe.Kind.values().length)
        .allSatisfy(ceiling -> assertThat(ceiling.rowsPerSecond() / ceiling.callsPerSecond())
            .as("rows per call: %s", ceiling)
            .isCloseTo(DatabaseClient.ROWS, within(1.0)));
  }

  @Test
  void theDatabaseProbeWritesAndReads() {
    Settings settings = new Settings(
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
    assertThat(new DatabaseProbe(server, settings).measure())
        .singleElement()
        .satisfies(load -> assertThat(load.rowsWrittenPerSecond()).isBetween(100.0, 1_500.0))
        .satisfies(load -> assertThat(load.rowsReadPerSecond()).isPositive());
  }
}
