package io.tidegate.server.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Quantiles of the latencies of the last {@value #INTERVALS} intervals, from the buckets of a
 * histogram. Used by one thread at a time.
 */
public final class RecentLatencies {

  private static final int INTERVALS = 5;

  /** Returned instead of a quantile if there was no request. */
  public static final long NONE = -1;

  private final long[] boundsNanos;
  private final Supplier<long[]> totals;

  /** The totals at the ends of the last intervals, the oldest first. */
  private final Deque<long[]> ends = new ArrayDeque<>();

  RecentLatencies(long[] boundsNanos, Supplier<long[]> totals) {
    this.boundsNanos = boundsNanos;
    this.totals = totals;
    ends.add(totals.get());
  }

  /** Ends an interval. */
  public void endInterval() {
    ends.addLast(totals.get());
    if (ends.size() > INTERVALS + 1) {
      ends.removeFirst();
    }
  }

  /**
   * A quantile of the recent latencies in microseconds, interpolated within its bucket.
   *
   * @param quantile 0.99 for the latency that one request in a hundred exceeds
   * @return {@link #NONE} without requests
   */
  public long micros(double quantile) {
    long[] first = ends.getFirst();
    long[] last = ends.getLast();
    long[] counts = new long[last.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = last[i] - first[i];
    }
    return micros(boundsNanos, counts, quantile);
  }

  static long micros(long[] boundsNanos, long[] counts, double quantile) {
    long all = 0;
    for (long count : counts) {
      all += count;
    }
    if (all == 0) {
      return NONE;
    }
    double rank = quantile * all;
    long before = 0;
    for (int i = 0; i < boundsNanos.length; i++) {
      if (counts[i] > 0 && before + counts[i] >= rank) {
        double lower = i == 0 ? 0 : boundsNanos[i - 1];
        double part = Math.max(0, rank - before) / counts[i];
        return Math.round((lower + (boundsNanos[i] - lower) * part) / 1_000);
      }
      before += counts[i];
    }
    return boundsNanos[boundsNanos.length - 1] / 1_000; // the last bucket has no upper bound
  }
}
