package io.tidegate.local;

/**
 * A copy of the two cells of a series, which a batch fills several times without allocating. Used
 * by one thread.
 */
class CellsCopy {

  private long startMillis;
  private long current;
  private long previous;

  final void set(long cellStartMillis, long currentCount, long previousCount) {
    startMillis = cellStartMillis;
    current = currentCount;
    previous = previousCount;
  }

  final long startMillis() {
    return startMillis;
  }

  /** The effective count of a request without cost; allocates nothing. */
  final long effective(long nowMillis, long windowMillis) {
    long overlap = SlidingWindow.overlap(nowMillis, startMillis, windowMillis);
    long weighted = SlidingWindow.weighted(previous, overlap, windowMillis);
    return SlidingWindow.effective(current, weighted, 0);
  }

  final Cells cells(long windowMillis) {
    return new Cells(startMillis, windowMillis, current, previous);
  }
}
