package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A small fleet with the structure of the large ones. */
class FleetSimulationTest {

  private static final FleetSize SMALL = new FleetSize("small", 4, 8, 2 * FleetTraffic.MIX, 2);

  private static FleetFigures run(int sample, int maxSeries, long seed) {
    return new FleetSimulation(
            new FleetSettings(SMALL, sample, SharingPolicy.ADAPTIVE, maxSeries, 1, seed))
        .run(() -> {});
  }

  @Test
  void aSampleAgreesWithAllSeries() {
    List<FleetFigures> both = List.of(run(1, 1_000_000, 1), run(2, 1_000_000, 1));
    assertThat(new FleetTargets(both).targets()).allMatch(Target::met);
    FleetFigures.Load all = both.get(0).whole();
    FleetFigures.Load half = both.get(1).whole();
    double rowsError = both.get(1).rowsError();

    assertThat(half.requests()).isCloseTo(all.requests(), withinPercentage(3));
    assertThat(half.origins().writes()).isCloseTo(all.origins().writes(), withinPercentage(3));
    assertThat(half.origins().reads()).isCloseTo(all.origins().reads(), withinPercentage(10));
    assertThat(half.liveRows()).isCloseTo(all.liveRows(), withinPercentage(3));
    assertThat(half.heldSeries()).isCloseTo(all.heldSeries(), withinPercentage(3));
    assertThat(half.usedSeries()).isCloseTo(all.usedSeries(), withinPercentage(3));
    assertThat(half.rowsWritten()).isCloseTo(all.rowsWritten(), withinPercentage(300 * rowsError));
    assertThat(half.rowsRead()).isCloseTo(all.rowsRead(), withinPercentage(300 * rowsError));

    assertThat(half.pulls()).isCloseTo(all.pulls(), withinPercentage(1));
    assertThat(half.pushes()).isCloseTo(all.pushes(), withinPercentage(1));
    assertThat(half.origins().lossChecks())
        .isCloseTo(all.origins().lossChecks(), withinPercentage(5));
    assertThat(both.get(1).sharedPeaks().p90())
        .isCloseTo(both.get(0).sharedPeaks().p90(), withinPercentage(15));
  }

  @Test
  void aSeedDeterminesTheFigures() {
    assertThat(run(8, 1_000_000, 3))
        .usingRecursiveComparison()
        .ignoringFields("effort.realSeconds", "effort.cpuSeconds")
        .isEqualTo(run(8, 1_000_000, 3));
  }

  @Test
  void evictionsBoundTheSeriesAndCauseNoWrongDenials() {
    FleetFigures tight = run(4, 1_200, 1);
    assertThat(tight.whole().heldSeries()).isBetween(1_000.0, 1_250.0);
    assertThat(tight.whole().evictions()).isPositive();
    assertThat(tight.wrongDenials()).isZero();
  }
}
