package io.tidegate.report;

import java.util.List;

/** Where the samples of one thing lie. */
public record Percentiles(double p50, double p99, double max) {

  /** Of something that did not happen. */
  public static final Percentiles NONE = new Percentiles(0, 0, 0);

  /** Takes samples themselves, and none in between two. */
  public static Percentiles of(List<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("samples must not be empty");
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Percentiles(at(0.5, sorted), at(0.99, sorted), sorted[sorted.length - 1]);
  }

  /** The smallest sample that is at least as large as this share of them. */
  private static double at(double share, double[] sorted) {
    return sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
