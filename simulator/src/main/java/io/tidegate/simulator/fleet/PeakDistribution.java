package io.tidegate.simulator.fleet;

import java.util.Arrays;

/**
 * The distribution of peaks over several series. A peak is the largest number of tokens admitted
 * within any window length, divided by the limit.
 *
 * @param series number of series
 * @param over105 fraction of series with a peak above 1.05
 * @param over110 fraction of series with a peak above 1.10
 * @param over150 fraction of series with a peak above 1.50
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

  /** The percentiles are peaks of series; there is no interpolation. */
  static PeakDistribution of(double[] peaks) {
    if (peaks.length == 0) {
      return new PeakDistribution(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    double[] sorted = peaks.clone();
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
    return (double) Arrays.stream(sorted).filter(peak -> peak > bound).count() / sorted.length;
  }
}
