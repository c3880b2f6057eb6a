package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.GlobalPolicy.ADAPTIVE;
import static io.tidegate.benchmarks.GlobalPolicy.LOWER_FLOOR;
import static io.tidegate.benchmarks.GlobalPolicy.RFC;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.GlobalSpending.Offer;
import io.tidegate.report.Verdict;
import org.junit.jupiter.api.Test;

class GlobalTargetsTest {

  private final GlobalFiguresFixture figures = GlobalFiguresFixture.allAlike();

  @Test
  void allIsMetWhereAllIsPerfect() {
    assertThat(figures.targets().verdicts()).allMatch(Verdict::met).hasSize(7);
    assertThat(figures.targets().whereWeLose()).isEmpty();
  }

  @Test
  void noMoreRowsThanTheRfcExpectsMeetTheTarget() {
    figures.load(ADAPTIVE, 1, 6_000, 1);
    assertThat(verdict("written").met()).isTrue();
    figures.load(ADAPTIVE, 2, 6_001, 1);
    assertThat(verdict("written").met()).as("every window counts").isFalse();
  }

  @Test
  void aLagOfTwoSecondsAndAHalfMeetsTheTarget() {
    figures.lag(ADAPTIVE, 2.5);
    assertThat(verdict("lag").met()).isTrue();
    figures.lag(ADAPTIVE, 2.51);
    assertThat(verdict("lag").met()).isFalse();
    assertThat(verdict("lag").figure()).isEqualTo("2.51 s");
  }

  @Test
  void oneFailedCallMissesTheTarget() {
    figures.load(ADAPTIVE, 1, 1, 1, 1);
    assertThat(verdict("fails").met()).isFalse();
  }

  @Test
  void fiveMillisecondsForAHundredthMeetTheTarget() {
    figures.tick(10, 5);
    assertThat(verdict("1 % changed").met()).isTrue();
    figures.tick(10, 5.1);
    assertThat(verdict("1 % changed").met()).isFalse();
  }

  @Test
  void aTickThatWalksOverEverythingIsNotProportional() {
    assertThat(verdict("proportional").met()).isTrue();
    figures.tick(0, 0.5);
    assertThat(verdict("proportional").met()).isFalse();
    figures.tick(0, 0).tick(1000, 201);
    assertThat(verdict("proportional").met()).isFalse();
  }

  @Test
  void whatGetsThroughIsHeldAgainstTheDesign() {
    figures.spending(ADAPTIVE, Offer.TWICE, 1.07);
    assertThat(verdict("offered 2 times").met()).isFalse();
    assertThat(verdict("offered 10 times").met()).isTrue();
  }

  @Test
  void everyBetterFigureOfAnotherIsTold() {
    figures.load(RFC, 1, 500, 6_000).spending(LOWER_FLOOR, Offer.TEN_TIMES, 0.9);
    figures.load(ADAPTIVE, 1, 600, 16_000);
    assertThat(figures.targets().whereWeLose())
        .containsExactly(
            "rows written/s: 500 [500..500] with floor 0.5, 10 s (RFC), 600 [600..600] with adaptive",
            "rows read/s: 6000 [6000..6000] with floor 0.5, 10 s (RFC), 16.0 k [16.0 k..16.0 k] with adaptive",
            "rows read/s: 6000 [6000..6000] with floor 0.2, 5 s, 16.0 k [16.0 k..16.0 k] with adaptive",
            "offered 10 times a limit in 10 regions: floor 0.2, 5 s lets 0.900 times through, adaptive 1.00 times",
            "16.0 k [16.0 k..16.0 k] rows are read a second, where the RFC expects 15,000 at most");
  }

  private Verdict verdict(String target) {
    return figures.targets().verdicts().stream()
        .filter(verdict -> verdict.target().contains(target))
        .findFirst()
        .orElseThrow();
  }
}
