package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tidegate.report.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A small fleet, which has all that the large ones have. */
class FleetSimulationTest {

  private static final FleetSize SMALL = new FleetSize("small", 4, 8, 2 * FleetTraffic.DEAL, 2);

  private static FleetFigures run(int sample, int maxSeries, long seed) {
    return new FleetSimulation(
            new FleetSettings(SMALL, sample, Policy.ADAPTIVE, maxSeries, 1, seed))
        .run(() -> {});
  }

  @Test
  void aSampleTellsWhatAllSeriesDo() {
    List<FleetFigures> both = List.of(run(1, 1_000_000, 1), run(2, 1_000_000, 1));
    assertThat(new FleetTargets(both).verdicts()).allMatch(Verdict::met);
    FleetFigures all = both.get(0).whole();
    FleetFigures half = both.get(1).whole();

    assertThat(half.requests()).isCloseTo(all.requests(), withinPercentage(3));
    assertThat(half.origins().writes()).isCloseTo(all.origins().writes(), withinPercentage(3));
    assertThat(half.origins().reads()).isCloseTo(all.origins().reads(), withinPercentage(10));
    assertThat(half.liveRows()).isCloseTo(all.liveRows(), withinPercentage(3));
    assertThat(half.heldSeries()).isCloseTo(all.heldSeries(), withinPercentage(3));
    assertThat(half.usedSeries()).isCloseTo(all.usedSeries(), withinPercentage(3));
    assertThat(half.rowsWritten())
        .isCloseTo(all.rowsWritten(), withinPercentage(300 * half.rowsError()));
    assertThat(half.rowsRead()).isCloseTo(all.rowsRead(), withinPercentage(300 * half.rowsError()));

    assertThat(half.pulls()).isCloseTo(all.pulls(), withinPercentage(1));
    assertThat(half.pushes()).isCloseTo(all.pushes(), withinPercentage(1));
    assertThat(half.origins().patrolReads())
        .isCloseTo(all.origins().patrolReads(), withinPercentage(5));
    assertThat(half.shared().p90()).isCloseTo(all.shared().p90(), withinPercentage(15));
  }

  @Test
  void theSameSeedGivesTheSameFigures() {
    assertThat(run(8, 1_000_000, 3))
        .usingRecursiveComparison()
        .ignoringFields("effort.realSeconds", "effort.cpuSeconds")
        .isEqualTo(run(8, 1_000_000, 3));
  }

  @Test
  void aNodeHoldsNoMoreThanItMayAndNobodyIsDeniedForIt() {
    FleetFigures tight = run(4, 1_200, 1).whole();
    assertThat(tight.heldSeries()).isBetween(1_000.0, 1_250.0);
    assertThat(tight.evictions()).isPositive();
    assertThat(tight.wrongDenials()).isZero();
  }
}
