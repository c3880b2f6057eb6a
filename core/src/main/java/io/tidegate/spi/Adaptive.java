package io.tidegate.spi;

import java.time.Duration;

/**
 * Pushes a series that only one region uses rarely. Pushes a shared series in steps that shrink
 * with the headroom of its limit.
 */
record Adaptive(Duration interval) implements PushPolicy {

  /**
   * Divisor of the limit that gives the first push: 5 % of the limit. With less, most series with a
   * few requests would be written. With more, each region that joins admits more tokens before it
   * imports the count.
   */
  private static final int FIRST_PUSH_DIVISOR = 20;

  /**
   * Divisor of the limit that gives the smallest step of all regions together: 2 % of the limit.
   * With less, every node would push each token that the sliding window frees. With more, the
   * overshoot would grow noticeably.
   */
  private static final int SMALLEST_STEP_DIVISOR = 50;

  @Override
  public boolean isWorthPushing(CellUse use) {
    return isWorthPushingAlone(use) || (use.usedElsewhere() && use.unpushed() >= share(use));
  }

  /** Returns the count that this region may leave unpushed when others use the series too. */
  private static long share(CellUse use) {
    long all = Math.max(use.headroom() / 2, use.limit() / SMALLEST_STEP_DIVISOR);
    return Math.max(1, all / use.regions());
  }

  /**
   * Applies to shared series too. Otherwise a region that imports a count before its own first push
   * would not push until a quarter of the limit is used, and neither would any other region.
   */
  private static boolean isWorthPushingAlone(CellUse use) {
    return use.count() >= (use.pushed() == 0 ? firstPush(use.limit()) : 2 * use.pushed());
  }

  private static long firstPush(long limit) {
    return Math.max(1, (limit + FIRST_PUSH_DIVISOR - 1) / FIRST_PUSH_DIVISOR);
  }
}
