package io.tidegate.report;

import java.util.List;

/** Median, 99th percentile and maximum of samples; NaN without samples. */
public record Percentiles(double p50, double p99, double max) {

  private static final Percentiles NONE = new Percentiles(Double.NaN, Double.NaN, Double.NaN);

  /** Percentiles are samples themselves, not interpolated. */
  public static Percentiles of(List<Double> samples) {
    if (samples.isEmpty()) {
      return NONE;
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Percentiles(at(0.5, sorted), at(0.99, sorted), sorted[sorted.length - 1]);
  }

  /** The smallest sample that is at least as large as this share of them. */
  private static double at(double share, double[] sorted) {
    return sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
