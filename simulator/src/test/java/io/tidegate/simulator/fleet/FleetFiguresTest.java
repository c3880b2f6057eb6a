package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FleetFiguresTest {

  private final FleetFigures tenth = new FleetFiguresFixture(FleetSize.ONE, 10).figures();

  @Test
  void whatSeriesBringIsMultiplied() {
    FleetFigures whole = tenth.whole();
    assertThat(whole.requests()).isEqualTo(7_000);
    assertThat(whole.rowsWritten()).isEqualTo(600);
    assertThat(whole.rowsOfShared()).isEqualTo(150);
    assertThat(whole.rowsRead()).isEqualTo(40_000);
    assertThat(whole.liveRows()).isEqualTo(20_000);
    assertThat(whole.heldSeries()).isEqualTo(12_000);
    assertThat(whole.usedSeries()).isEqualTo(1_600);
    assertThat(whole.origins().writes()).isEqualTo(6_000);
    assertThat(whole.origins().reads()).isEqualTo(9_000);
  }

  @Test
  void whatNodesBringIsNot() {
    FleetFigures whole = tenth.whole();
    assertThat(whole.pulls()).isEqualTo(33);
    assertThat(whole.origins().patrolReads()).isEqualTo(200);
    assertThat(whole.busiest().patrolReads()).isEqualTo(30);
    assertThat(whole.all()).isEqualTo(tenth.all());
    assertThat(whole.shared()).isEqualTo(tenth.shared());
  }

  @Test
  void aCountIsThreeCommandsOfRedis() {
    assertThat(tenth.origins().redisCommands()).isEqualTo(3 * 600 + 900 + 200);
  }

  @Test
  void aNodePushesInARoundUnlessNoneOfItsSeriesHasAnything() {
    FleetFigures half =
        new FleetFiguresFixture(FleetSize.ONE, 2).pushes(33 * 0.6).figures();
    assertThat(half.whole().pushes())
        .as("of 40 % of rounds half had nothing, and so of 16 % both halves")
        .isEqualTo(33 * 0.84, within(1e-9));
    assertThat(tenth.whole().pushes()).isEqualTo(33, within(1e-6));
  }

  @Test
  void aCallTakesSoManyRowsAtMost() {
    FleetFigures many =
        new FleetFiguresFixture(FleetSize.ONE, 1_000).rowsWritten(100).figures();
    assertThat(many.whole().pushes()).isEqualTo(200, within(1e-9));
  }

  @Test
  void allSeriesAreAsTheyWereSimulated() {
    FleetFigures all = new FleetFiguresFixture(FleetSize.ONE, 1).figures();
    assertThat(all.whole()).usingRecursiveComparison().isEqualTo(all);
  }

  @Test
  void speedIsVirtualByRealTime() {
    assertThat(tenth.effort().speed()).isEqualTo(80, within(1e-9));
    assertThat(tenth.effort().speedByCpu()).isEqualTo(100, within(1e-9));
  }
}
