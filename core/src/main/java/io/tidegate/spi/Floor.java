package io.tidegate.spi;

import java.time.Duration;

/**
 * Tells all of a series that has used a fraction of its limit.
 *
 * @param millionths the fraction: exact, where seven tenths of ten would be a little more than
 *     seven
 */
record Floor(long millionths, Duration interval) implements PushPolicy {

  static final long WHOLE = 1_000_000;

  @Override
  public boolean isWorthPushing(CellUse use) {
    return use.unpushed() > 0 && use.count() >= least(use.limit());
  }

  /** Rounded up. A limit is at most 10^12, so nothing wraps. */
  private long least(long limit) {
    return Math.max(1, (limit * millionths + WHOLE - 1) / WHOLE);
  }
}
