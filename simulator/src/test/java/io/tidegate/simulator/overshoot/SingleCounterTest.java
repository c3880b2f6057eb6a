package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SingleCounterTest {

  private static Ledger.Admission run(
      SingleCounter reference, TrafficPattern traffic, double load) {
    return reference.run(Fixtures.small(), traffic, load).admission();
  }

  @ParameterizedTest
  @EnumSource
  void holdsASteadyLoad(SingleCounter reference) {
    Ledger.Admission admission = run(reference, TrafficPattern.EVEN, 10);
    assertThat(admission.worst()).isBetween(1.0, 1.2);
    assertThat(admission.wronglyDenied()).isZero();
  }

  @Test
  void oneCounterSlidesOverTheEndOfAWindow() {
    assertThat(run(SingleCounter.PERFECT, TrafficPattern.BLEED_IN, 0.65).worst())
        .isLessThan(0.9);
    assertThat(run(SingleCounter.FIXED_CELL, TrafficPattern.BLEED_IN, 0.65).worst())
        .isGreaterThan(1);
  }

  @Test
  void nothingHasToBeTold() {
    assertThat(
            SingleCounter.PERFECT.run(Fixtures.small(), TrafficPattern.EVEN, 1).telling())
        .isNull();
  }
}
