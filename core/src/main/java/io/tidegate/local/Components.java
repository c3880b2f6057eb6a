package io.tidegate.local;

import java.util.Arrays;

/**
 * What each region has counted in one cell, as the global counters told. Touched only while the
 * series of the cell is changing.
 */
final class Components {

  /** Of a cell that nobody has pushed or imported; never changed. */
  static final Components NONE = new Components();

  /**
   * How far a replica that pulls read may lag behind the server that pushes write. Within it, a
   * count that a pull does not bring is taken to be on its way. Longer than replicas lag in a busy
   * minute; a real loss is noticed so much later.
   */
  private static final int MOST_LAG_SECONDS = 30;

  private static final long[] NO_COUNTS = {};

  /** By the number that this process has given a region; 0 for one that has told nothing. */
  private long[] counts = NO_COUNTS;

  private long imported;
  private long pushed;

  /**
   * When the pushed count was last confirmed: by the answer to a push, or by a pull that began
   * then. In seconds of a clock that the caller chooses.
   */
  private int confirmedSeconds;

  /** Those of a cell that weighs this much before any region has reported a count of it. */
  static Components carrying(long count) {
    if (count == 0) {
      return NONE;
    }
    Components carrying = new Components();
    carrying.imported = count;
    return carrying;
  }

  /** The sum of what the other regions told. */
  long imported() {
    return imported;
  }

  /** How much of this region's count the global counters are known to hold. */
  long pushed() {
    return pushed;
  }

  /** Another region has counted at least this much; says by how much that is more than known. */
  long raise(int region, long count) {
    if (region >= counts.length) {
      counts = Arrays.copyOf(counts, region + 1);
    }
    long growth = Math.max(0, count - counts[region]);
    counts[region] += growth;
    imported += growth;
    return growth;
  }

  /** The global counters hold at least this much of this region's count. */
  void raisePushed(long count, int nowSeconds) {
    pushed = Math.max(pushed, count);
    confirmedSeconds = Math.max(confirmedSeconds, nowSeconds);
  }

  /**
   * A pull has read so much of this region's count. If that is less than was pushed long enough
   * before the pull began, the rest is lost.
   *
   * @return whether something is
   */
  boolean mergePushed(long count, int pullSeconds) {
    boolean lost = count < pushed && isOverdue(pullSeconds);
    if (lost) {
      pushed = count;
    }
    if (count >= pushed) { // a smaller count confirms nothing: it may come from a replica
      raisePushed(count, pullSeconds);
    }
    return lost;
  }

  /**
   * A pull of everything has ended. What was pushed long enough before it began, and was not
   * confirmed since, is lost.
   *
   * @return whether something is
   */
  boolean unpushUnlessConfirmed(int pullSeconds) {
    boolean lost = pushed > 0 && isOverdue(pullSeconds);
    if (lost) {
      pushed = 0;
    }
    return lost;
  }

  private boolean isOverdue(int pullSeconds) {
    return pullSeconds - confirmedSeconds > MOST_LAG_SECONDS;
  }
}
