package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tidegate.report.Machine;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A small fleet with the structure of the large ones. */
class FleetSimulationTest {

  private static final FleetSize SMALL = new FleetSize("small", 4, 8, 2 * FleetTraffic.MIX, 2);

  private static FleetFigures run(int sample, int maxSeries, long seed) {
    return new FleetSimulation(
            new FleetSettings(SMALL, sample, SharingPolicy.ADAPTIVE, maxSeries, 1, seed))
        .run(new NodeMemory(150, 250), () -> {});
  }

  @Test
  void aSampleAgreesWithAllSeries() {
    List<FleetFigures> both = List.of(run(1, 1_000_000, 1), run(2, 1_000_000, 1));
    assertThat(new FleetReport(Machine.current(), false, both).targets()).allMatch(Target::met);
    FleetFigures all = both.get(0);
    FleetFigures half = both.get(1);
    double rowsError = half.rowsError();

    assertThat(half.load(Load.REQUESTS)).isCloseTo(all.load(Load.REQUESTS), withinPercentage(3));
    assertThat(half.load(Load.COUNTS_REPLAYED))
        .isCloseTo(all.load(Load.COUNTS_REPLAYED), withinPercentage(3));
    assertThat(half.load(Load.CELLS_READ))
        .isCloseTo(all.load(Load.CELLS_READ), withinPercentage(10));
    assertThat(half.load(Load.LIVE_ROWS)).isCloseTo(all.load(Load.LIVE_ROWS), withinPercentage(3));
    assertThat(half.load(Load.HELD_SERIES))
        .isCloseTo(all.load(Load.HELD_SERIES), withinPercentage(3));
    assertThat(half.load(Load.USED_SERIES))
        .isCloseTo(all.load(Load.USED_SERIES), withinPercentage(3));
    assertThat(half.load(Load.ROWS_WRITTEN))
        .isCloseTo(all.load(Load.ROWS_WRITTEN), withinPercentage(300 * rowsError));
    assertThat(half.load(Load.ROWS_READ))
        .isCloseTo(all.load(Load.ROWS_READ), withinPercentage(300 * rowsError));

    assertThat(half.load(Load.PULLS)).isCloseTo(all.load(Load.PULLS), withinPercentage(1));
    // With fewer series, it happens more often that none of a node is due.
    assertThat(half.load(Load.PUSHES)).isCloseTo(all.load(Load.PUSHES), withinPercentage(5));
    assertThat(half.load(Load.CELLS_CHECKED))
        .isCloseTo(all.load(Load.CELLS_CHECKED), withinPercentage(5));
    assertThat(half.sharedPeaks().p90()).isCloseTo(all.sharedPeaks().p90(), withinPercentage(15));
  }

  @Test
  void aSeedDeterminesTheFigures() {
    assertThat(run(8, 1_000_000, 3))
        .usingRecursiveComparison()
        .ignoringFields("speed", "speedByCpu")
        .isEqualTo(run(8, 1_000_000, 3));
  }

  @Test
  void evictionsBoundTheSeriesAndCauseNoWrongDenials() {
    FleetFigures tight = run(4, 800, 1);
    assertThat(tight.load(Load.HELD_SERIES)).isBetween(700.0, 850.0);
    assertThat(tight.load(Load.EVICTIONS)).isPositive();
    assertThat(tight.wrongDenials()).isZero();
  }
}
