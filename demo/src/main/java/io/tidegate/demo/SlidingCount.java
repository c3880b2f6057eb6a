package io.tidegate.demo;

import java.util.TreeMap;

/**
 * The exact count of one series over all regions: the tokens of this window, and the part of the
 * previous window that still counts. A single counter that decided on every request would keep this
 * count at or below the limit. Thread-safe.
 */
final class SlidingCount {

  private final long windowMillis;

  /** Tokens by the sequence of their cell; the last two cells at most. */
  private final TreeMap<Long, Long> cells = new TreeMap<>();

  private long most;

  SlidingCount(long windowMillis) {
    this.windowMillis = windowMillis;
  }

  /**
   * Counts admitted tokens.
   *
   * @param resetMillis the end of the cell in which they were admitted, as the answer states it
   * @param nowMillis the time of the answer, which may be after the end of the cell
   */
  synchronized void admit(long tokens, long resetMillis, long nowMillis) {
    cells.merge(sequence(resetMillis - 1), tokens, Long::sum);
    while (cells.size() > 2) {
      cells.pollFirstEntry();
    }
    most = Math.max(most, at(Math.min(nowMillis, resetMillis - 1)));
  }

  /** The count at a time in the newest cell or later, rounded down. */
  synchronized long at(long nowMillis) {
    long sequence = sequence(nowMillis);
    long overlapMillis = (sequence + 1) * windowMillis - nowMillis;
    return tokens(sequence) + tokens(sequence - 1) * overlapMillis / windowMillis;
  }

  /** The highest count after any admission since the last {@link #resetMost}. */
  synchronized long most() {
    return most;
  }

  synchronized void resetMost(long nowMillis) {
    most = at(nowMillis);
  }

  private long tokens(long sequence) {
    return cells.getOrDefault(sequence, 0L);
  }

  private long sequence(long millis) {
    return Math.floorDiv(millis, windowMillis);
  }
}
