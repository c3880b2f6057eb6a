package io.tidegate.global;

import java.time.Duration;

/**
 * The due times of periodic work: multiples of an interval, each with a random deviation that does
 * not move the following ones. Missed times are skipped. Used by one thread at a time.
 */
final class Cadence {

  /** Greatest deviation, as a part of the interval: enough that nodes do not act in step. */
  private static final double JITTER = 0.2;

  private final long intervalNanos;
  private final long firstNanos;
  private final long seed;
  private long count;
  private long dueNanos;

  /**
   * A cadence whose first due time is now.
   *
   * @param interval time between two due times
   * @param nowNanos the first due time
   * @param seed source of the deviations
   */
  Cadence(Duration interval, long nowNanos, long seed) {
    this.intervalNanos = interval.toNanos();
    this.firstNanos = nowNanos;
    this.dueNanos = nowNanos;
    this.seed = seed;
  }

  /** Whether a time is due; true once for each. */
  boolean takeDue(long nowNanos) {
    if (nowNanos - dueNanos < 0) {
      return false;
    }
    count = Math.max(count, Math.floorDiv(nowNanos - firstNanos, intervalNanos)) + 1;
    dueNanos = firstNanos + count * intervalNanos + (long) (JITTER * intervalNanos * deviation());
    return true;
  }

  /** A number between -1 and 1, the same for the same seed and count. */
  private double deviation() {
    long mixed = (seed + count) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return (mixed ^ (mixed >>> 32)) / (double) Long.MAX_VALUE;
  }
}
