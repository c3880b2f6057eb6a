package io.tidegate.local;

import java.util.Arrays;

/**
 * A cell whose counts are exchanged with other regions: the count of each region, as read from the
 * global counters. Created when the first of them is pushed or pulled, because most cells are not
 * shared between regions. Used only while the counter is changing.
 *
 * <p>Times are in seconds of a clock that the caller chooses.
 */
final class PublishedCell extends SharedCell {

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

  PublishedCell(SharedCell cell) {
    super(cell);
  }

  /** A cell that weighs this much before any region has reported a count of it. */
  static SharedCell carrying(long count) {
    if (count == 0) {
      return new SharedCell();
    }
    PublishedCell cell = new PublishedCell(EMPTY);
    cell.imported = count;
    return cell;
  }

  @Override
  SharedCell end(long own) {
    super.end(own);
    return this;
  }

  @Override
  long imported() {
    return imported;
  }

  @Override
  long pushed() {
    return pushed;
  }

  @Override
  PublishedCell published() {
    return this;
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

  @Override
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
