package io.tidegate.spi;

import java.time.Duration;

/**
 * Tells little of a series that one region uses, and the more of one that several use the less is
 * left of its limit.
 */
record Adaptive(Duration interval) implements PushPolicy {

  /**
   * The part of its limit that a series must use before other regions hear of it: 5 %. Less, and
   * most series of which a handful is used would be written; more, and that much is admitted again
   * in each region that joins.
   */
  private static final int FIRST_PART = 20;

  /**
   * The part of its limit that all regions together may keep back of a series that they share,
   * however little is left of it: 2 %. Less, and what a window that slides frees token by token is
   * told token by token, by every node; more, and one sees it in how far limits are exceeded.
   */
  private static final int FINEST_PART = 50;

  @Override
  public boolean isWorthPushing(CellUse use) {
    return isWorthPushingAlone(use) || use.usedElsewhere() && use.unpushed() >= share(use);
  }

  /** What this region may keep back of a series that others use too. */
  private static long share(CellUse use) {
    long all = Math.max(use.headroom() / 2, use.limit() / FINEST_PART);
    return Math.max(1, all / use.regions());
  }

  /**
   * Holds for shared series too. Otherwise a region that hears of another before it has pushed
   * anything would keep silent for a quarter of the limit, as long as no more than two regions are
   * known; and so would all the others.
   */
  private static boolean isWorthPushingAlone(CellUse use) {
    return use.count() >= (use.pushed() == 0 ? firstPush(use.limit()) : 2 * use.pushed());
  }

  private static long firstPush(long limit) {
    return Math.max(1, (limit + FIRST_PART - 1) / FIRST_PART);
  }
}
