package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.RegionalContender.BUCKET4J;
import static io.tidegate.benchmarks.RegionalContender.PER_REQUEST;
import static io.tidegate.benchmarks.RegionalContender.TIDEGATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.RegionalFigures.Pace;
import io.tidegate.report.Verdict;
import org.junit.jupiter.api.Test;

class RegionalTargetsTest {

  private final RegionalFiguresFixture figures = RegionalFiguresFixture.allAlike();

  @Test
  void aLagOf50MillisMeetsTheTarget() {
    figures.lag(TIDEGATE, 1, 50);
    assertThat(verdict("lag").met()).isTrue();
    figures.lag(TIDEGATE, 1, 50.1);
    assertThat(verdict("lag").met()).isFalse();
  }

  @Test
  void oneMessagePerCellNodeAndTickMeetsTheTarget() {
    figures.load(TIDEGATE, 1, 1_000_000, 20_000, 0);
    assertThat(verdict("message").met()).isTrue();
    assertThat(verdict("message").figure()).contains("20.0 k").contains("where 20.0 k may be");
    figures.load(TIDEGATE, 1, 1_000_000, 20_001, 0);
    assertThat(verdict("message").met()).isFalse();
  }

  @Test
  void tenTimesTheDecisionsOfBucket4jMeetTheTarget() {
    figures.load(TIDEGATE, 1, 10_000, 1, 0);
    assertThat(verdict("bucket4j").met()).isTrue();
    figures.load(TIDEGATE, 1, 9_999, 1, 0);
    assertThat(verdict("bucket4j").met()).isFalse();
  }

  @Test
  void oneLostCountMissesTheTargetAndOneTooManyToo() {
    assertThat(verdict("lost").met()).isTrue();
    figures.load(TIDEGATE, 1, 1_000, 1, 1);
    assertThat(verdict("lost").met()).isFalse();
    assertThat(verdict("lost").figure()).isEqualTo("1 of 1000 (0.1 %)");
    figures.load(TIDEGATE, 1, 1_000, 1, -1);
    assertThat(verdict("lost").met()).isFalse();
  }

  @Test
  void weLoseNowhereWhenAllAreAlike() {
    assertThat(figures.targets().whereWeLose()).isEmpty();
  }

  @Test
  void everyBetterFigureOfAnotherIsTold() {
    figures
        .load(PER_REQUEST, 1, 2_000, 1, 500)
        .lag(BUCKET4J, 1, 0.1)
        .burst(TIDEGATE, Pace.HAMMERED, 1, 2);
    assertThat(figures.targets().whereWeLose())
        .containsExactly(
            "1,000 keys: we make 0.50 [0.50..0.50] times the decisions of replay per request, which loses"
                + " 25.0 % of its counts",
            "1,000 keys: a second of Redis' CPU is good for 4000 [4000..4000] decisions of ours, and 8000"
                + " [8000..8000] of replay per request, which loses 25.0 % of its counts",
            "over-admission, hammered: replay per request accepts 1.00 [1.00..1.00] times the limit, we"
                + " 2.00 [2.00..2.00] times",
            "lag p99: 0.1 [0.1..0.1] ms with bucket4j, 1.0 [1.0..1.0] ms with us",
            "over-admission, hammered: bucket4j accepts 1.00 [1.00..1.00] times the limit, we"
                + " 2.00 [2.00..2.00] times");
  }

  private Verdict verdict(String target) {
    return figures.targets().verdicts().stream()
        .filter(verdict -> verdict.target().contains(target))
        .findFirst()
        .orElseThrow();
  }
}
