package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SingleCounterTest {

  private static TrialResult.Decisions run(
      SingleCounter counter, TrafficPattern pattern, double load) {
    return counter.run(Fixtures.small(), pattern, load).decisions();
  }

  @ParameterizedTest
  @EnumSource
  void holdsASteadyLoad(SingleCounter counter) {
    TrialResult.Decisions decisions = run(counter, TrafficPattern.EVEN, 10);
    assertThat(decisions.worst()).isBetween(1.0, 1.2);
    assertThat(decisions.wronglyDenied()).isZero();
  }

  @Test
  void aSlidingWindowRemembersThePreviousOne() {
    assertThat(run(SingleCounter.SLIDING_WINDOW, TrafficPattern.BLEED_IN, 0.65).worst())
        .isLessThan(0.9);
    assertThat(run(SingleCounter.FIXED_WINDOW, TrafficPattern.BLEED_IN, 0.65).worst())
        .isGreaterThan(1);
  }

  @Test
  void sharesNothing() {
    assertThat(SingleCounter.SLIDING_WINDOW
            .run(Fixtures.small(), TrafficPattern.EVEN, 1)
            .exchange())
        .isNull();
  }
}
