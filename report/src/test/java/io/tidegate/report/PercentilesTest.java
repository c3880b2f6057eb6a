package io.tidegate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {

  @Test
  void areSamplesThemselves() {
    List<Double> samples =
        IntStream.rangeClosed(1, 200).mapToObj(i -> (double) (201 - i)).toList();
    assertThat(Percentiles.of(samples)).isEqualTo(new Percentiles(100, 198, 200));
    assertThat(Percentiles.of(List.of(7.0))).isEqualTo(new Percentiles(7, 7, 7));
  }

  @Test
  void shareThatFallsBetweenTwoSamplesIsTheLargerOne() {
    assertThat(Percentiles.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0)))
        .isEqualTo(new Percentiles(3, 5, 5));
  }

  @Test
  void areUnmeasuredWithoutSamples() {
    assertThat(Percentiles.of(List.of()))
        .isEqualTo(new Percentiles(Double.NaN, Double.NaN, Double.NaN));
  }
}
