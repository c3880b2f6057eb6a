package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeakDistributionTest {

  @Test
  void tellsWhereTheFiguresLie() {
    double[] worst =
        IntStream.rangeClosed(1, 2_000).mapToDouble(i -> i / 1_000.0).toArray();
    PeakDistribution admission = PeakDistribution.of(worst);
    assertThat(admission.series()).isEqualTo(2_000);
    assertThat(admission.p50()).isEqualTo(1);
    assertThat(admission.p90()).isEqualTo(1.8);
    assertThat(admission.p99()).isEqualTo(1.98);
    assertThat(admission.p999()).isEqualTo(1.998);
    assertThat(admission.max()).isEqualTo(2);
    assertThat(admission.over105()).isEqualTo(0.475, within(1e-9));
    assertThat(admission.over110()).isEqualTo(0.45, within(1e-9));
    assertThat(admission.over150()).isEqualTo(0.25, within(1e-9));
  }

  @Test
  void ofNoneIsNothing() {
    assertThat(PeakDistribution.of(new double[0]).max()).isZero();
  }
}
