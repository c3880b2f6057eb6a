package io.tidegate.local;

import java.util.function.LongSupplier;

/**
 * Bounds how many evicted series a queue keeps for a store that does not answer. In an outage, a
 * spray of identifiers evicts ever more series that the store should still receive; without a bound
 * they would fill the memory. Used by one thread at a time.
 */
public final class EvictedBound {

  /** Kept at least, whatever {@code maxSeries} is. */
  private static final int FEWEST = 1_000;

  private final SeriesStore store;
  private final long most;

  /**
   * Evicted series in the queue when they were last counted, and evictions of the store by then.
   */
  private long counted;

  private long evictions;

  /**
   * A bound for one queue.
   *
   * @param most evicted series to keep at most
   */
  public EvictedBound(SeriesStore store, int most) {
    this.store = store;
    this.most = Math.max(most, FEWEST);
  }

  /**
   * How many evicted series the queue must give up: 0 while there are not too many, else all but
   * half of what may be kept, because counting them takes a walk over the queue.
   *
   * @param queued how long the queue is
   * @param evictedInQueue counts the evicted series in the queue; called only if there may be too
   *     many
   */
  public long excess(long queued, LongSupplier evictedInQueue) {
    long evicted = store.evicted();
    if (Math.min(queued, counted + evicted - evictions) <= most) {
      return 0;
    }
    evictions = evicted;
    long found = evictedInQueue.getAsLong();
    counted = found > most ? most / 2 : found;
    return found - counted;
  }
}
