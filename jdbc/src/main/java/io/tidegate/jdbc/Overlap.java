package io.tidegate.jdbc;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time before the mark of a pull that the next pull reads again.
 *
 * <p>A row has the time at which the database received its statement, and becomes visible when the
 * statement commits. A pull in between misses the row, and its mark can be later than the time of
 * the row, by the duration of the statement in the database at most. The overlap covers this
 * duration. The network does not count: a statement that is still on its way has no time yet.
 *
 * <p>The durations of this node's recent statements, less the round trip, are the estimate for all
 * nodes. The push thread records statements; the pull thread records round trips and reads the
 * overlap.
 */
final class Overlap {

  /**
   * For statements of other nodes, if this node does not push. With an interval of 250 ms, this
   * minimum reads each row 1.4 times on average; 500 ms would read it three times.
   */
  static final long MIN_MILLIS = 100;

  /** Longer than the answer timeout of a statement. Bounds the overlap while pushes are slow. */
  static final long MAX_MILLIS = 10_000;

  /** Other nodes may push more rows, or wait longer for locks. */
  private static final int SAFETY_FACTOR = 2;

  /**
   * With a pull every 250 ms, the estimate halves in 5.5 s: when statements of this node are fast
   * again, those of other nodes may still be slow.
   */
  private static final int DECAY_DIVISOR = 32;

  /** Longest recent statement. Raised by pushes, lowered by pulls. */
  private final AtomicLong statementNanos = new AtomicLong();

  /** Shortest recent round trip; 0 before the first. Used by the pull thread only. */
  private long roundTripNanos;

  /** Records how long this node waited for a statement, even if it failed: it may still commit. */
  void statementTook(long nanos) {
    statementNanos.accumulateAndGet(nanos, Math::max);
  }

  /**
   * Records how long this node waited for a short query. The shortest recent wait is the round
   * trip, because a busy database delays the short query as well. It rises again slowly, for
   * connections that lead to another server.
   */
  void roundTripTook(long nanos) {
    roundTripNanos = roundTripNanos == 0
        ? nanos
        : Math.min(nanos, roundTripNanos + roundTripNanos / DECAY_DIVISOR);
  }

  /** Returns the overlap of the next pull. Each call lowers the estimate. */
  long nextMillis() {
    long recentNanos = statementNanos.getAndUpdate(nanos -> nanos - nanos / DECAY_DIVISOR);
    long databaseMillis =
        Duration.ofNanos(Math.max(0, recentNanos - roundTripNanos)).toMillis();
    return Math.max(MIN_MILLIS, Math.min(MAX_MILLIS, SAFETY_FACTOR * databaseMillis));
  }
}
