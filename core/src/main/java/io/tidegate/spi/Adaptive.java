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

  @Override
  public boolean isWorthPushing(CellUse use) {
    return isWorthPushingAlone(use)
        || use.usedElsewhere()
            && use.unpushed() >= Math.max(1, use.headroom() / (2L * use.regions()));
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
