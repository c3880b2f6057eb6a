package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.simulator.fleet.FleetFigures.Peaks;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeaksTest {

  @Test
  void hasPercentilesAndFractions() {
    double[] peaks =
        IntStream.rangeClosed(1, 2_000).mapToDouble(i -> i / 1_000.0).toArray();
    Peaks distribution = Peaks.of(peaks);
    assertThat(distribution.series()).isEqualTo(2_000);
    assertThat(distribution.p50()).isEqualTo(1);
    assertThat(distribution.p90()).isEqualTo(1.8);
    assertThat(distribution.p99()).isEqualTo(1.98);
    assertThat(distribution.max()).isEqualTo(2);
    assertThat(distribution.over110()).isEqualTo(0.45, within(1e-9));
  }

  @Test
  void isZeroWithoutSeries() {
    assertThat(Peaks.of(new double[0]).max()).isZero();
  }
}
