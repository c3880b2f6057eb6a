package io.tidegate.simulator.spread;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReferenceTest {

  private static Ledger.Admission run(Reference reference, Traffic traffic, double load) {
    return reference.run(Fixtures.small(), traffic, load).admission();
  }

  @ParameterizedTest
  @EnumSource
  void holdsASteadyLoad(Reference reference) {
    Ledger.Admission admission = run(reference, Traffic.EVEN, 10);
    assertThat(admission.worst()).isBetween(1.0, 1.2);
    assertThat(admission.wronglyDenied()).isZero();
  }

  @Test
  void oneCounterSlidesOverTheEndOfAWindow() {
    assertThat(run(Reference.PERFECT, Traffic.BLEED_IN, 0.65).worst()).isLessThan(0.9);
    assertThat(run(Reference.FIXED_CELL, Traffic.BLEED_IN, 0.65).worst()).isGreaterThan(1);
  }

  @Test
  void nothingHasToBeTold() {
    assertThat(Reference.PERFECT.run(Fixtures.small(), Traffic.EVEN, 1).telling())
        .isNull();
  }
}
