package io.tidegate.local;

import java.util.Arrays;

/**
 * What regions have exchanged of one cell of a {@link SharedCounter}: the counts of other regions,
 * and the part of this region's count that has been pushed. It moves from current to previous at a
 * rotation. Created when the first count is pushed or pulled, because most cells are not shared
 * between regions. Used only while the counter is changing.
 *
 * <p>Times are in seconds of elapsed time, from any instant; they may overflow.
 */
final class PublishedCell {

  /** A cell of which regions have exchanged nothing. Never written. */
  static final PublishedCell NONE = new PublishedCell();

  /**
   * How far the replica that pulls read may lag behind the server that pushes write. Within this
   * time, a pushed count that is missing from a pull is taken to be on its way. Replicas lag less
   * even in a busy minute; a real loss is detected so much later.
   */
  private static final int MAX_LAG_SECONDS = 30;

  /** Index of the count that was carried over from another cell. */
  private static final int CARRIED = 0;

  private static final long[] NO_COUNTS = {};

  /**
   * Counts that this node has pulled itself, by the number that it has given a region, from 1; 0 if
   * none was received.
   */
  private long[] counts = NO_COUNTS;

  /**
   * The greater of two sums over other regions: of the counts above, and by the origin. Neither
   * exceeds what they have counted.
   */
  private long imported;

  private long pushed;

  /**
   * When the pushed count was last confirmed: when a push was answered, or when a pull began that
   * has read it.
   */
  private int confirmedSeconds;

  /** Number of other regions with a count. A byte, because there are many cells. */
  private byte regions;

  /** Whether the global counters rejected a count of this cell: no pull brings it back. */
  private boolean rejected;

  /**
   * Whether the global counters have lost a pushed count of this cell. What the origin holds as
   * pushed is not used any more then, because it never shrinks.
   */
  private boolean lost;

  private PublishedCell() {}

  /** A cell that weighs this much before any region has reported a count of it. */
  static PublishedCell carrying(long count) {
    if (count == 0) {
      return NONE;
    }
    PublishedCell cell = new PublishedCell();
    cell.counts = new long[] {count};
    cell.imported = count;
    return cell;
  }

  /** This cell, or a new one in the place of {@link #NONE}, to write to. */
  PublishedCell orNew() {
    return this == NONE ? new PublishedCell() : this;
  }

  /** Sum of the counts of other regions. */
  long imported() {
    return imported;
  }

  /** Number of other regions that have counted in this cell. */
  int regions() {
    return regions;
  }

  /** Part of the regional count that the global counters hold. */
  long pushed() {
    return pushed;
  }

  /**
   * Another region has counted at least this much, by a pull of this node.
   *
   * @param region the number of the region, at least 1
   * @return by how much the imported count has grown
   */
  long raise(int region, long count) {
    if (region >= counts.length) {
      counts = Arrays.copyOf(counts, region + 1);
    }
    counts[region] = Math.max(counts[region], count);
    long sum = counts[CARRIED];
    int counting = 0;
    for (int i = CARRIED + 1; i < counts.length; i++) {
      sum += counts[i];
      counting += counts[i] > 0 ? 1 : 0;
    }
    return raiseImported(sum, counting);
  }

  /**
   * Other regions have counted at least this much, by an answer of the origin.
   *
   * @return by how much the imported count has grown
   */
  long raiseAll(long sum, int counting) {
    return raiseImported((counts.length == 0 ? 0 : counts[CARRIED]) + sum, counting);
  }

  private long raiseImported(long sum, int counting) {
    regions = (byte) Math.max(regions, Math.min(counting, Byte.MAX_VALUE));
    long growth = Math.max(0, sum - imported);
    imported += growth;
    return growth;
  }

  /** The global counters hold at least this much of this region's count. */
  void raisePushed(long count, int nowSeconds) {
    if (pushed == 0 || nowSeconds - confirmedSeconds > 0) {
      confirmedSeconds = nowSeconds;
    }
    pushed = Math.max(pushed, count);
  }

  /** Another node has pushed this much of this region's count, by an answer of the origin. */
  void raisePushedByPeers(long count, int nowSeconds) {
    if (count > pushed && !lost) {
      raisePushed(count, nowSeconds);
    }
  }

  /** The global counters cannot store this count. It is pushed again only if it grows. */
  void reject(long count) {
    pushed = Math.max(pushed, count);
    rejected = true;
  }

  /**
   * A pull has read this much of this region's count. If that is less than was pushed long enough
   * before the pull began, the rest is lost.
   *
   * @return whether some of it is lost
   */
  boolean mergePushed(long count, int pullStartSeconds) {
    boolean lostNow = count < pushed && isOverdue(pullStartSeconds);
    if (lostNow) {
      pushed = count;
      lost = true;
    }
    if (count >= pushed) { // a smaller count confirms nothing: it may come from a replica
      raisePushed(count, pullStartSeconds);
    }
    return lostNow;
  }

  /**
   * A pull of all counts of this region has ended that began at this time.
   *
   * @return whether it shows that the global counters have lost the pushed count
   */
  boolean unpushUnlessConfirmed(int pullStartSeconds) {
    boolean lostNow = pushed > 0 && isOverdue(pullStartSeconds);
    if (lostNow) {
      pushed = 0;
      lost = true;
    }
    return lostNow;
  }

  private boolean isOverdue(int pullStartSeconds) {
    return !rejected && pullStartSeconds - confirmedSeconds > MAX_LAG_SECONDS;
  }
}
