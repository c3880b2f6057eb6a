package io.tidegate.server.activity;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SamplerTest {

  private final Sampler sampler = new Sampler();

  @Test
  void everyDecisionOfAQuietNodeIsSampled() {
    for (int second = 0; second < 5; second++) {
      for (int i = 0; i < Sampler.SAMPLES_PER_SECOND; i++) {
        assertThat(sampler.weight()).isEqualTo(1);
      }
      sampler.adapt(Sampler.SAMPLES_PER_SECOND);
    }
  }

  @Test
  void samplesOfABusyNodeAreBoundedAndTheirWeightsAddUp() {
    int decisions = 5_000_000;
    sampler.adapt(decisions);
    long weights = 0;
    int samples = 0;
    for (int i = 0; i < decisions; i++) {
      int weight = sampler.weight();
      weights += weight;
      samples += weight > 0 ? 1 : 0;
    }
    assertThat(samples)
        .isBetween(Sampler.SAMPLES_PER_SECOND * 8 / 10, Sampler.SAMPLES_PER_SECOND * 12 / 10);
    assertThat(weights).isCloseTo(decisions, Percentage.withPercentage(5));
  }

  @Test
  void rushIsSampledLessBeforeTheSecondEnds() {
    int samples = 0;
    for (int i = 0; i < 5_000_000; i++) {
      samples += sampler.weight() > 0 ? 1 : 0;
    }
    assertThat(samples).isLessThan(12 * Sampler.SAMPLES_PER_SECOND); // it halves nine times
  }

  @Test
  void regularPatternIsNotMissed() {
    sampler.adapt(100L * Sampler.SAMPLES_PER_SECOND);
    long even = 0;
    long odd = 0;
    for (int i = 0; i < 500_000; i++) {
      int weight = sampler.weight();
      if (i % 2 == 0) {
        even += weight;
      } else {
        odd += weight;
      }
    }
    assertThat(even).isCloseTo(odd, Percentage.withPercentage(20));
  }
}
