package io.tidegate.simulator.fleet;

import java.util.Arrays;

/**
 * How much of their limits was admitted within the worst window of each of some series.
 *
 * @param series how many there are
 * @param over105 the part of them of which more than 1.05 times the limit was admitted
 */
record PeakDistribution(
    int series,
    double p50,
    double p90,
    double p99,
    double p999,
    double max,
    double over105,
    double over110,
    double over150) {

  /** Takes figures themselves, and none in between two. */
  static PeakDistribution of(double[] worst) {
    if (worst.length == 0) {
      return new PeakDistribution(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    double[] sorted = worst.clone();
    Arrays.sort(sorted);
    return new PeakDistribution(
        sorted.length,
        at(0.5, sorted),
        at(0.9, sorted),
        at(0.99, sorted),
        at(0.999, sorted),
        sorted[sorted.length - 1],
        over(1.05, sorted),
        over(1.1, sorted),
        over(1.5, sorted));
  }

  private static double at(double share, double[] sorted) {
    return sorted[(int) Math.ceil(share * sorted.length) - 1];
  }

  private static double over(double bound, double[] sorted) {
    return (double) Arrays.stream(sorted).filter(worst -> worst > bound).count() / sorted.length;
  }
}
