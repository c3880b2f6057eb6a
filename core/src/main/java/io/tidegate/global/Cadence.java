package io.tidegate.global;

import java.time.Duration;

/**
 * When something is due that comes back every interval: a little early or late each time, but by
 * target times that do not move. What was missed is left out.
 */
final class Cadence {

  private final long intervalNanos;
  private final long firstNanos;
  private final long seed;
  private long count;
  private long dueNanos;

  /**
   * A cadence whose first time is now.
   *
   * @param interval from one target to the next
   * @param nowNanos the first target
   * @param seed what the deviations are made of
   */
  Cadence(Duration interval, long nowNanos, long seed) {
    this.intervalNanos = interval.toNanos();
    this.firstNanos = nowNanos;
    this.dueNanos = nowNanos;
    this.seed = seed;
  }

  /** Whether it is due, and if so, not again until its next time. */
  boolean takeDue(long nowNanos) {
    if (nowNanos - dueNanos < 0) {
      return false;
    }
    count = Math.max(count, Math.floorDiv(nowNanos - firstNanos, intervalNanos)) + 1;
    dueNanos =
        firstNanos + count * intervalNanos + (long) (Tuning.JITTER * intervalNanos * deviation());
    return true;
  }

  /** Between -1 and 1, the same for the same seed and count. */
  private double deviation() {
    long mixed = (seed + count) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return (mixed ^ (mixed >>> 32)) / (double) Long.MAX_VALUE;
  }
}
