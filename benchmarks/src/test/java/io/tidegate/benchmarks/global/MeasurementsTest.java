package io.tidegate.benchmarks.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.global.Results.Tick;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Small measurements with a real database. */
class MeasurementsTest {

  private static final int WINDOW_MILLIS = 4_000;

  private static final Settings TINY =
      new Settings(true, 1, WINDOW_MILLIS, 300, List.of(1), 1, List.of(2), 1_000, List.of(1));

  private static Database database;

  @BeforeAll
  static void start() {
    database = Database.start();
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @Test
  void aFleetPushesAndPulls() {
    List<Load> loads = new ArrayList<>();
    FleetEnd end = new FleetLoad(database, WINDOW_MILLIS).measure(Policy.ADAPTIVE, 300, 1, loads);
    Load load = loads.get(0);
    assertThat(load.sent().decisions()).isPositive();
    assertThat(load.rowsWrittenPerSecond()).isPositive();
    assertThat(load.rowsReadPerSecond()).isPositive();
    assertThat(load.stored().rowsWritten()).isPositive();
    assertThat(load.exchangePercent()).isPositive();
    assertThat(end.table().rows()).isPositive();
    assertThat(end.samples()).isPositive();
    assertThat(end.missing()).isZero();
  }

  @Test
  void everyPolicyAdmitsAtLeastTheLimit() {
    assertThat(new OvershootTrial(database, WINDOW_MILLIS).measure())
        .hasSize(9)
        .allSatisfy(trial -> assertThat(trial.timesLimit()).isBetween(0.9, 10.5));
  }

  @Test
  void theWorstWindowMayBeginAnywhere() {
    assertThat(OvershootTrial.most(List.of(0L, 50L, 90L, 100L, 110L, 149L, 200L), 100))
        .as("50 to 149")
        .isEqualTo(5);
  }

  @Test
  void ticksWithMoreChangedCellsTakeLonger() {
    List<Tick> ticks = new TickProbe(1_000, 1).measure();
    assertThat(ticks).hasSize(TickProbe.CHANGED.size());
    assertThat(ticks.get(0).millis()).isLessThan(ticks.get(ticks.size() - 1).millis());
  }

  @Test
  void everyCallOfACeilingHasAllItsRows() {
    assertThat(new DatabaseProbe(database, TINY).ceilings())
        .hasSize(DatabaseProbe.Kind.values().length)
        .allSatisfy(ceiling -> assertThat(ceiling.rowsPerSecond() / ceiling.callsPerSecond())
            .as("rows per call: %s", ceiling)
            .isCloseTo(DatabaseClients.BATCH, within(1.0)));
  }

  @Test
  void theDatabaseProbeWritesAndReads() {
    assertThat(new DatabaseProbe(database, TINY).loads())
        .singleElement()
        .satisfies(load -> assertThat(load.rows().writtenPerSecond()).isBetween(100.0, 1_500.0))
        .satisfies(load -> assertThat(load.rows().readPerSecond()).isPositive());
  }
}
