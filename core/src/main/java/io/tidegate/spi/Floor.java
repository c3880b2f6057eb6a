package io.tidegate.spi;

import java.time.Duration;

/**
 * Pushes every change of a series that has used a fraction of its limit.
 *
 * @param millionths the fraction in millionths, so that the arithmetic is exact
 */
record Floor(long millionths, Duration interval) implements PushPolicy {

  static final long WHOLE = 1_000_000;

  @Override
  public boolean isWorthPushing(CellUse use) {
    return use.unpushed() > 0 && use.count() >= least(use.limit());
  }

  /** Rounds up. A limit is at most 10^12, so that the product fits a long. */
  private long least(long limit) {
    return Math.max(1, (limit * millionths + WHOLE - 1) / WHOLE);
  }
}
