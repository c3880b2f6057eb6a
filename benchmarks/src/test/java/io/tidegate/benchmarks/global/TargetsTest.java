package io.tidegate.benchmarks.global;

import static io.tidegate.benchmarks.global.Policy.ADAPTIVE;
import static io.tidegate.benchmarks.global.Policy.LOWER_FLOOR;
import static io.tidegate.benchmarks.global.Policy.REFERENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.global.OvershootTrial.Offer;
import io.tidegate.report.Target;
import org.junit.jupiter.api.Test;

class TargetsTest {

  private final ResultsFixture figures = ResultsFixture.allAlike();

  @Test
  void perfectResultsMeetAllTargets() {
    assertThat(figures.report().targets()).allMatch(Target::met).hasSize(7);
    assertThat(figures.report().losses()).isEmpty();
  }

  @Test
  void theRowsOfTheReferenceDesignMeetTheTarget() {
    figures.load(ADAPTIVE, 1, 6_000, 1);
    assertThat(verdict("rows/s").met()).isTrue();
    figures.load(ADAPTIVE, 2, 6_001, 1);
    assertThat(verdict("rows/s").met()).as("every window counts").isFalse();
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
  void overshootIsComparedWithTheDesign() {
    figures.overshoot(ADAPTIVE, Offer.TWICE, 1.07);
    assertThat(verdict("offered 2 times").met()).isFalse();
    assertThat(verdict("offered 10 times").met()).isTrue();
  }

  @Test
  void everyBetterFigureOfAnotherIsReported() {
    figures.load(REFERENCE, 1, 500, 6_000).overshoot(LOWER_FLOOR, Offer.TEN_TIMES, 0.9);
    figures.load(ADAPTIVE, 1, 600, 16_000);
    assertThat(figures.report().losses())
        .containsExactly(
            "rows written/s: 500 with floor 0.5, 10 s (reference), 600 with adaptive",
            "rows read/s: 6000 with floor 0.5, 10 s (reference), 16.0 k with adaptive",
            "rows read/s: 6000 with floor 0.2, 5 s, 16.0 k with adaptive",
            "times the limit admitted, offered 10x: 0.900 with floor 0.2, 5 s, 1.00 with adaptive",
            "16.0 k rows are read per second, where the reference design expects at most 15,000");
  }

  private Target verdict(String target) {
    return figures.report().targets().stream()
        .filter(verdict -> verdict.text().contains(target))
        .findFirst()
        .orElseThrow();
  }
}
