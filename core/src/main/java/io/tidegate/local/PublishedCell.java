package io.tidegate.local;

import java.util.Arrays;

/**
 * What regions have exchanged of one cell of a {@link SharedCounter}: the counts of other regions,
 * and the part of this region's count that has been pushed. It moves from current to previous at a
 * rotation. Created when the first count is pushed or pulled, because most cells are not shared
 * between regions. Used only while the counter is changing.
 *
 * <p>Times are in seconds of a clock that the caller chooses.
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

  private static final long[] NO_COUNTS = {};

  /** Counts by the number that this process has given a region; 0 if none was received. */
  private long[] counts = NO_COUNTS;

  private long imported;
  private long pushed;

  /**
   * When the pushed count was last confirmed: when a push was answered, or when a pull began that
   * has read it.
   */
  private int confirmedSeconds;

  /** Whether the global counters rejected a count of this cell: no pull brings it back. */
  private boolean rejected;

  private PublishedCell() {}

  /** A cell that weighs this much before any region has reported a count of it. */
  static PublishedCell carrying(long count) {
    if (count == 0) {
      return NONE;
    }
    PublishedCell cell = new PublishedCell();
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

  /** Part of the regional count that the global counters hold. */
  long pushed() {
    return pushed;
  }

  /**
   * Another region has counted at least this much.
   *
   * @return by how much its count has grown
   */
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
    boolean lost = count < pushed && isOverdue(pullStartSeconds);
    if (lost) {
      pushed = count;
    }
    if (count >= pushed) { // a smaller count confirms nothing: it may come from a replica
      raisePushed(count, pullStartSeconds);
    }
    return lost;
  }

  /**
   * A full pull has ended that began at this time.
   *
   * @return whether it shows that the global counters have lost the pushed count
   */
  boolean unpushUnlessConfirmed(int pullStartSeconds) {
    boolean lost = pushed > 0 && isOverdue(pullStartSeconds);
    if (lost) {
      pushed = 0;
    }
    return lost;
  }

  private boolean isOverdue(int pullStartSeconds) {
    return !rejected && pullStartSeconds - confirmedSeconds > MAX_LAG_SECONDS;
  }
}
