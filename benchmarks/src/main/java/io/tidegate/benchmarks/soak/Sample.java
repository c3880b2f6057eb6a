package io.tidegate.benchmarks.soak;

import java.util.List;
import java.util.function.Predicate;

/**
 * The state of the server at one moment.
 *
 * @param second since the load began
 * @param heapBytes used heap outside of Eden: what the last collection has left, and what it has
 *     not looked at
 * @param gcSeconds all pauses of the collector since the server started
 * @param gcMaxSeconds the longest one of the last minutes
 * @param unconfirmed series with counts that Redis has not confirmed
 */
record Sample(
    double second,
    double residentBytes,
    double heapBytes,
    double gcSeconds,
    double gcMaxSeconds,
    double files,
    double threads,
    double series,
    double unconfirmed) {

  /** Reads the lines of the server's metrics. */
  static Sample of(double second, double residentBytes, List<String> metrics) {
    return new Sample(
        second,
        residentBytes,
        sum(
            metrics,
            "jvm_memory_used_bytes",
            line -> line.contains("area=\"heap\"") && !line.contains("Eden")),
        sum(metrics, "jvm_gc_pause_seconds_sum", line -> true),
        max(metrics, "jvm_gc_pause_seconds_max"),
        sum(metrics, "process_files_open_files", line -> true),
        sum(metrics, "jvm_threads_live_threads", line -> true),
        sum(metrics, "tidegate_ratelimit_series", line -> true),
        sum(metrics, "tidegate_ratelimit_unconfirmed_series", line -> true));
  }

  private static double sum(List<String> metrics, String name, Predicate<String> condition) {
    return metrics.stream()
        .filter(line -> isOf(line, name) && condition.test(line))
        .mapToDouble(Sample::value)
        .sum();
  }

  private static double max(List<String> metrics, String name) {
    return metrics.stream()
        .filter(line -> isOf(line, name))
        .mapToDouble(Sample::value)
        .max()
        .orElse(0);
  }

  /** Whether a line has this name, and not only one that begins with it. */
  private static boolean isOf(String line, String name) {
    return line.startsWith(name + "{") || line.startsWith(name + " ");
  }

  private static double value(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }
}
