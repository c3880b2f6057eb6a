package io.tidegate.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HistogramTest {

  private final Histogram histogram = new Histogram();

  @Test
  void percentilesAreWithinOnePartIn128() {
    LongStream.rangeClosed(1, 1_000_000).forEach(micros -> histogram.add(micros * 1_000));
    Latency latency = histogram.latency();
    assertThat(latency.p50()).isBetween(500_000.0, 500_000 * (1 + 1 / 128.0));
    assertThat(latency.p99()).isBetween(990_000.0, 990_000 * (1 + 1 / 128.0));
    assertThat(latency.p999()).isBetween(999_000.0, 1_000_000.0);
    assertThat(latency.max()).isEqualTo(1_000_000);
  }

  @Test
  void smallValuesAreExact() {
    LongStream.rangeClosed(0, 200).forEach(histogram::add);
    assertThat(histogram.latency().p50()).isCloseTo(0.100, within(1e-9));
  }

  @Test
  void aSingleValueIsEveryPercentile() {
    histogram.add(123_456_789);
    assertThat(histogram.latency())
        .isEqualTo(new Latency(123_456.789, 123_456.789, 123_456.789, 123_456.789));
  }

  @Test
  void theLongestTimeHasABucket() {
    histogram.add(Long.MAX_VALUE);
    assertThat(histogram.latency().max()).isEqualTo(Long.MAX_VALUE / 1e3);
  }

  @Test
  void withoutValuesThereAreNoPercentiles() {
    assertThat(histogram.latency().p50()).isNaN();
    assertThat(histogram.latency().max()).isNaN();
  }
}
