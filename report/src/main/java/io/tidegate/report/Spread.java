package io.tidegate.report;

import java.util.Arrays;

/** Median, minimum and maximum of the figures that several rounds gave for one quantity. */
public record Spread(double median, double min, double max, int count) {

  public static Spread of(double... figures) {
    if (figures.length == 0) {
      throw new IllegalArgumentException("figures must not be empty");
    }
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }
}
