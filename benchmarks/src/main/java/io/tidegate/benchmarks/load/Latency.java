package io.tidegate.benchmarks.load;

import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Percentiles of a time, in microseconds. */
public record Latency(double p50, double p99, double p999, double max) {

  /** A percentile is the smallest sample that is at least as large as this share of them. */
  static Latency ofNanos(LongStream samples) {
    long[] sorted = samples.sorted().toArray();
    double[] micros = DoubleStream.of(0.5, 0.99, 0.999, 1)
        .map(share -> sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e3)
        .toArray();
    return new Latency(micros[0], micros[1], micros[2], micros[3]);
  }
}
