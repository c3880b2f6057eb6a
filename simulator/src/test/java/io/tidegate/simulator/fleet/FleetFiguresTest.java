package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FleetFiguresTest {

  private final FleetFigures tenth = new FleetFiguresFixture(FleetSize.ONE, 10).figures();

  @Test
  void theLoadPerSeriesIsMultiplied() {
    FleetFigures.Load whole = tenth.whole();
    assertThat(whole.requests()).isEqualTo(7_000);
    assertThat(whole.rowsWritten()).isEqualTo(600);
    assertThat(whole.sharedRowsWritten()).isEqualTo(150);
    assertThat(whole.rowsRead()).isEqualTo(40_000);
    assertThat(whole.liveRows()).isEqualTo(20_000);
    assertThat(whole.heldSeries()).isEqualTo(12_000);
    assertThat(whole.usedSeries()).isEqualTo(1_600);
    assertThat(whole.origins().writes()).isEqualTo(6_000);
    assertThat(whole.origins().reads()).isEqualTo(9_000);
  }

  @Test
  void theLoadPerNodeIsNot() {
    FleetFigures.Load whole = tenth.whole();
    assertThat(whole.pulls()).isEqualTo(33);
    assertThat(whole.origins().lossChecks()).isEqualTo(200);
    assertThat(whole.busiest().lossChecks()).isEqualTo(30);
  }

  @Test
  void aReplayedCountIsThreeRedisCommands() {
    assertThat(tenth.sampled().origins().redisCommands()).isEqualTo(3 * 600 + 900 + 200);
  }

  @Test
  void aNodePushesInARoundIfAnyOfItsSeriesHasCounts() {
    FleetFigures half =
        new FleetFiguresFixture(FleetSize.ONE, 2).pushes(33 * 0.6).figures();
    assertThat(half.whole().pushes())
        .as("half of the series had nothing in 40 % of the rounds, and both halves in 16 %")
        .isEqualTo(33 * 0.84, within(1e-9));
    assertThat(tenth.whole().pushes()).isEqualTo(33, within(1e-6));
  }

  @Test
  void aPushHasABoundedNumberOfRows() {
    FleetFigures many =
        new FleetFiguresFixture(FleetSize.ONE, 1_000).rowsWritten(100).figures();
    assertThat(many.whole().pushes()).isEqualTo(200, within(1e-9));
  }

  @Test
  void allSeriesNeedNoExtrapolation() {
    FleetFigures all = new FleetFiguresFixture(FleetSize.ONE, 1).figures();
    assertThat(all.whole()).usingRecursiveComparison().isEqualTo(all.sampled());
  }

  @Test
  void speedIsVirtualTimePerRealTime() {
    assertThat(tenth.effort().speed()).isEqualTo(80, within(1e-9));
    assertThat(tenth.effort().speedByCpu()).isEqualTo(100, within(1e-9));
  }
}
