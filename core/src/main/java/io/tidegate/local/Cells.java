package io.tidegate.local;

import io.tidegate.model.Decision;

/**
 * The two cells of a series at one instant, and the decision that follows from them.
 *
 * @param startMillis when the current cell began
 * @param windowMillis how long a cell lasts
 * @param current count of the current cell
 * @param previous count of the previous cell
 */
public record Cells(long startMillis, long windowMillis, long current, long previous) {

  /** The cells of a series without counts. */
  static Cells unseen(long nowMillis, long windowMillis) {
    return new Cells(SlidingWindow.cellStart(nowMillis, windowMillis), windowMillis, 0, 0);
  }

  /** The count that a limit is compared with, for a request of this cost. */
  public long effective(long cost, long nowMillis) {
    return SlidingWindow.effective(
        current, SlidingWindow.weighted(previous, overlapMillis(nowMillis), windowMillis), cost);
  }

  /** The part of the previous cell that the sliding window still covers. */
  public long overlapMillis(long nowMillis) {
    return SlidingWindow.overlap(nowMillis, startMillis, windowMillis);
  }

  /** Whether the limit has room for the cost. */
  boolean admit(long limit, long cost, long nowMillis) {
    return SlidingWindow.admits(effective(cost, nowMillis), limit);
  }

  /** The decision on a request, with all figures. */
  public Decision decide(long limit, long cost, long nowMillis) {
    long effective = effective(cost, nowMillis);
    if (SlidingWindow.admits(effective, limit)) {
      return allowed(limit, effective, resetAtMillis());
    }
    long admittedAt =
        SlidingWindow.admittedAt(current, previous, startMillis, windowMillis, limit, cost);
    long retryAfter = admittedAt == Decision.NEVER ? Decision.NEVER : admittedAt - nowMillis;
    return new Decision(
        false, limit, 0, resetAtMillis(), retryAfter, effective, Decision.Source.LOCAL, false);
  }

  static Decision allowed(long limit, long effective, long resetAtMillis) {
    return new Decision(
        true, limit, limit - effective, resetAtMillis, 0, effective, Decision.Source.LOCAL, false);
  }

  private long resetAtMillis() {
    return startMillis + windowMillis;
  }
}
