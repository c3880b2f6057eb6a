package io.tidegate.benchmarks.regional;

import static io.tidegate.benchmarks.regional.Contender.BUCKET4J;
import static io.tidegate.benchmarks.regional.Contender.PER_REQUEST;
import static io.tidegate.benchmarks.regional.Contender.TIDEGATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.report.Target;
import org.junit.jupiter.api.Test;

class TargetsTest {

  private final ResultsFixture figures = ResultsFixture.allAlike();

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
    assertThat(verdict("message").figure()).contains("20.0 k messages/s of at most 20.0 k");
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
    assertThat(verdict("lost").figure()).isEqualTo("1 of 1000 (0.10 %)");
    figures.load(TIDEGATE, 1, 1_000, 1, -1);
    assertThat(verdict("lost").met()).isFalse();
  }

  @Test
  void equalFiguresAreNoLoss() {
    assertThat(figures.results().losses()).isEmpty();
  }

  @Test
  void everyBetterFigureOfAnotherIsReported() {
    figures.load(PER_REQUEST, 1, 2_000, 1, 500).lag(BUCKET4J, 1, 0.1).overshoot(TIDEGATE, 2, 1);
    assertThat(figures.results().losses())
        .containsExactly(
            "1,000 keys, decisions/s: 2000 with replay per request (which loses 25.0 % of its counts),"
                + " 1000 with Tidegate",
            "1,000 keys, decisions per second of Redis' CPU: 8000 with replay per request (which loses"
                + " 25.0 % of its counts), 4000 with Tidegate",
            "times the limit admitted, unthrottled: 1.00 with replay per request, 2.00 with Tidegate",
            "lag p99, ms: 0.1 with bucket4j, 1.0 with Tidegate",
            "times the limit admitted, unthrottled: 1.00 with bucket4j, 2.00 with Tidegate");
  }

  private Target verdict(String target) {
    return figures.results().targets().stream()
        .filter(verdict -> verdict.text().contains(target))
        .findFirst()
        .orElseThrow();
  }
}
