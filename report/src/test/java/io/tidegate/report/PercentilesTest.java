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
}
