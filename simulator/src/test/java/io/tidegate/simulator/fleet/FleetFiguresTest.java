package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.simulator.fleet.FleetFigures.Load;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetFiguresTest {

  private final FleetFigures tenth = new FleetFiguresFixture(FleetSize.ONE, 10).figures();

  @Test
  void theLoadPerSeriesIsMultiplied() {
    assertThat(tenth.load(Load.REQUESTS)).isEqualTo(7_000);
    assertThat(tenth.load(Load.ROWS_WRITTEN)).isEqualTo(600);
    assertThat(tenth.load(Load.SHARED_ROWS_WRITTEN)).isEqualTo(150);
    assertThat(tenth.load(Load.ROWS_READ)).isEqualTo(10_000);
    assertThat(tenth.load(Load.LIVE_ROWS)).isEqualTo(20_000);
    assertThat(tenth.load(Load.HELD_SERIES)).isEqualTo(2_000);
    assertThat(tenth.load(Load.USED_SERIES)).isEqualTo(1_600);
    assertThat(tenth.load(Load.COUNTS_REPLAYED)).isEqualTo(6_000);
    assertThat(tenth.load(Load.COUNTS_STORED)).isEqualTo(1_000);
    assertThat(tenth.load(Load.CELLS_READ)).isEqualTo(9_000);
  }

  @Test
  void theLoadPerNodeIsNot() {
    assertThat(tenth.load(Load.PULLS)).isEqualTo(40);
    assertThat(tenth.load(Load.OWN_PULLS)).isEqualTo(0.5);
    assertThat(tenth.load(Load.CELLS_CHECKED)).isEqualTo(200);
  }

  @Test
  void aReplayedOrStoredCountIsThreeRedisCommands() {
    assertThat(tenth.redisCommands()).isEqualTo(3 * 7_000 + 9_000 + 200);
  }

  @Test
  void aPullOfOtherRegionsIsTwoStatements() {
    assertThat(tenth.selects()).isEqualTo(80.5);
  }

  @Test
  void aNodePushesInARoundIfAnyOfItsSeriesHasCounts() {
    FleetFigures half =
        new FleetFiguresFixture(FleetSize.ONE, 2).pushes(132 * 0.6).figures();
    assertThat(half.load(Load.PUSHES))
        .as("half of the series had nothing in 40 % of the rounds, and both halves in 16 %")
        .isEqualTo(132 * 0.84, within(1e-9));
    assertThat(tenth.load(Load.PUSHES))
        .as("33 nodes, four rounds a second")
        .isEqualTo(132 * (1 - Math.pow(1 - 30 / 132.0, 10)), within(1e-6));
  }

  @Test
  void aPushHasABoundedNumberOfRows() {
    FleetFigures many =
        new FleetFiguresFixture(FleetSize.ONE, 1_000).rowsWritten(100).figures();
    assertThat(many.load(Load.PUSHES)).isEqualTo(200, within(1e-9));
  }

  @Test
  void allSeriesNeedNoExtrapolation() {
    Map<Load, Double> all = Map.of(Load.PULLS, 33.0, Load.PUSHES, 30.0, Load.REQUESTS, 700.0);
    assertThat(FleetFigures.extrapolated(all, 1, 33)).isEqualTo(all);
  }

  @Test
  void heapIsThatOfAllSeriesAsIfOtherRegionsUsedThem() {
    assertThat(tenth.bytesPerNode()).isEqualTo(2_000 * 250);
  }
}
