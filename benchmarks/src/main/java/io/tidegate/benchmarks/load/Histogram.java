package io.tidegate.benchmarks.load;

/**
 * Counts of durations in bounded memory. A percentile is at most one part in 128 too high; the
 * maximum is exact.
 */
final class Histogram {

  /** Buckets of a power of two, as a number of bits. */
  private static final int BITS = 7;

  private static final int WIDTH = 1 << BITS;

  private final long[] buckets = new long[WIDTH * (Long.SIZE - BITS)];
  private long count;
  private long maxNanos;

  void add(long nanos) {
    buckets[bucket(Math.max(0, nanos))]++;
    count++;
    maxNanos = Math.max(maxNanos, nanos);
  }

  /** Small values have a bucket each; others share one with those that have the same first bits. */
  private static int bucket(long nanos) {
    int shift = Math.max(0, Long.SIZE - BITS - 1 - Long.numberOfLeadingZeros(nanos));
    return shift * WIDTH + (int) (nanos >>> shift);
  }

  /** The highest value of a bucket. */
  private static long highest(int bucket) {
    int shift = Math.max(0, bucket / WIDTH - 1);
    return ((bucket - (long) shift * WIDTH + 1) << shift) - 1;
  }

  /** Percentiles; NaN without values. */
  Latency latency() {
    return new Latency(micros(0.5), micros(0.99), micros(0.999), micros(1));
  }

  private double micros(double share) {
    if (count == 0) {
      return Double.NaN;
    }
    long rank = (long) Math.ceil(share * count);
    int bucket = 0;
    for (long below = buckets[0]; below < rank; below += buckets[bucket]) {
      bucket++;
    }
    return Math.min(highest(bucket), maxNanos) / 1e3;
  }
}
