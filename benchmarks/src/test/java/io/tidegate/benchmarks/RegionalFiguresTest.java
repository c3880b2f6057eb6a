package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.RegionalContender.BUCKET4J;
import static io.tidegate.benchmarks.RegionalContender.PER_REQUEST;
import static io.tidegate.benchmarks.RegionalContender.TIDEGATE;
import static io.tidegate.benchmarks.RegionalFiguresFixture.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.RegionalFigures.Load;
import io.tidegate.benchmarks.RegionalFigures.Tally;
import io.tidegate.benchmarks.RegionalFigures.Traffic;
import io.tidegate.report.Spread;
import org.junit.jupiter.api.Test;

class RegionalFiguresTest {

  @Test
  void roundsAreComparedWithThemselves() {
    RegionalFigures figures = new RegionalFiguresFixture()
        .load(TIDEGATE, 1, 100, 0, 0)
        .load(BUCKET4J, 1, 10, 0, 0)
        .load(TIDEGATE, 2, 1_000, 0, 0)
        .load(BUCKET4J, 2, 50, 0, 0)
        .figures();
    assertThat(figures.timesAsFastAs(BUCKET4J, KEYS)).isEqualTo(new Spread(15, 10, 20, 2));
  }

  @Test
  void lossesOfAllRoundsAddUp() {
    RegionalFigures figures = new RegionalFiguresFixture()
        .load(PER_REQUEST, 1, 100, 0, 30)
        .load(PER_REQUEST, 2, 100, 0, 50)
        .load(BUCKET4J, 1, 100, 0, 0)
        .figures();
    assertThat(figures.tally(PER_REQUEST, KEYS)).contains(new Tally(200, 120, 80));
    assertThat(figures.tally(BUCKET4J, KEYS))
        .as("what bucket4j's buckets hold is not looked into")
        .isEmpty();
  }

  @Test
  void whatIsCountedTwiceIsLessThanNothingLost() {
    assertThat(new Tally(10, 12, 0).lost()).isEqualTo(-2);
  }

  @Test
  void ratesArePerSecondMeasured() {
    Traffic traffic = new Traffic(2, 1_000, 500, 200, 0.5);
    assertThat(traffic.decisionsPerSecond()).isEqualTo(500);
    assertThat(traffic.commandsPerSecond()).isEqualTo(250);
    assertThat(traffic.messagesPerSecond()).isEqualTo(100);
    assertThat(traffic.redisPercent()).isEqualTo(25);
    assertThat(traffic.decisionsPerRedisSecond()).isEqualTo(2_000);
  }

  @Test
  void everyNodeMaySendEveryCellAHundredTimesASecond() {
    Load load = RegionalFiguresFixture.allAlike().figures().loads().get(0);
    assertThat(load.cells()).isEqualTo(100);
    assertThat(load.mostMessagesPerSecond()).isEqualTo(100 * 2 * 100);
  }
}
