package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SingleCounterTest {

  private static TrialResult run(SingleCounter counter, TrafficPattern pattern, double load) {
    return counter.run(Fixtures.small(), pattern, load);
  }

  @ParameterizedTest
  @EnumSource
  void holdsASteadyLoad(SingleCounter counter) {
    TrialResult result = run(counter, TrafficPattern.EVEN, 10);
    assertThat(result.worst()).isBetween(1.0, 1.2);
    assertThat(result.wronglyDenied()).isZero();
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
    TrialResult result = run(SingleCounter.SLIDING_WINDOW, TrafficPattern.EVEN, 1);
    assertThat(result.rowsWritten()).isNaN();
    assertThat(result.rowsRead()).isNaN();
    assertThat(result.lagSeconds().p50()).isNaN();
    assertThat(result.neverReceived()).isNaN();
  }
}
