package io.tidegate.local;

import io.tidegate.model.Bounds;
import io.tidegate.model.Scope;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the series to remove when there is no room for another: an expired one if there is any in
 * reach, else a live one with low counts, and a strict one only if there is no other. A flood of
 * new identifiers evicts its own series first.
 *
 * <p>A clock hand walks over all series. Each round measures two things for the next: until when no
 * series can expire, so that the search for expired ones can stop early, and the average worth, so
 * that a series below it need not be compared with many others.
 */
final class Evictor {

  /** Most series examined for one eviction: tens of microseconds, for which a request waits. */
  private static final int MAX_EXAMINED = 1_024;

  /** Fewest live series to choose from: enough that the choice is rarely a busy one. */
  private static final int MIN_EXAMINED = 16;

  /** Added to the worth of strict series; greater than the counts of two cells together. */
  private static final long STRICT_WORTH = 1L << 60;

  /** A series that was removed to make room. */
  record Removed(Scope scope, String identifier, boolean alive) {}

  private final Collection<SeriesTable> all;
  private Iterator<SeriesTable> tables = Collections.emptyIterator();
  private @Nullable SeriesTable table;
  private Iterator<SeriesCounter> counters = Collections.emptyIterator();

  /** Measured in the last round. */
  private long nothingExpiresBeforeMillis = Long.MIN_VALUE;

  private double averageWorth;

  /** Measured so far in this round. The worth is that of series that are not strict. */
  private long roundStartMillis = Long.MIN_VALUE;

  private long earliestExpiryMillis = Long.MAX_VALUE;
  private double worthSum;
  private long worthCount;

  Evictor(Collection<SeriesTable> all) {
    this.all = all;
  }

  /**
   * Removes one series.
   *
   * @return the series, or null if other threads were changing all candidates
   */
  synchronized @Nullable Removed removeOne(long nowMillis) {
    SeriesCounter least = null;
    SeriesTable tableOfLeast = null;
    long leastWorth = Long.MAX_VALUE;
    for (int examined = 1; examined <= MAX_EXAMINED; examined++) {
      SeriesCounter counter = next(nowMillis);
      if (counter == null) {
        continue;
      }
      SeriesTable owner = Objects.requireNonNull(table, "the table of the counter");
      if (owner.expire(counter, nowMillis)) {
        return new Removed(owner.scope(), counter.identifier(), false);
      }
      long worth = examine(owner, counter, nowMillis);
      if (worth < leastWorth) {
        least = counter;
        tableOfLeast = owner;
        leastWorth = worth;
      }
      if (examined >= MIN_EXAMINED
          && leastWorth <= averageWorth
          && nowMillis < nothingExpiresBeforeMillis) {
        break;
      }
    }
    return least != null && tableOfLeast != null && tableOfLeast.evict(least)
        ? new Removed(tableOfLeast.scope(), least.identifier(), true)
        : null;
  }

  /** Releases a detached table, whose memory would otherwise be held until the next eviction. */
  synchronized void leaveDetached() {
    if (table != null && !table.isAttached()) {
      table = null;
      counters = Collections.emptyIterator();
      tables = Collections.emptyIterator();
      roundStartMillis = Long.MIN_VALUE; // this round is incomplete: it proves nothing
    }
  }

  private long examine(SeriesTable owner, SeriesCounter counter, long nowMillis) {
    earliestExpiryMillis =
        Math.min(earliestExpiryMillis, counter.expiresAtMillis(owner.windowMillis()));
    long worth = worth(counter, nowMillis);
    if (worth < STRICT_WORTH) {
      worthSum += worth;
      worthCount++;
    }
    return worth;
  }

  /** What an eviction would lose. A series whose limit is being enforced is worth the most. */
  private static long worth(SeriesCounter counter, long nowMillis) {
    long counted = counter.own() + counter.others() + counter.previous();
    return counter.strictUntilMillis() > nowMillis ? STRICT_WORTH + counted : counted;
  }

  /** Advances the hand; null at the end of a table or a round, and for a removed series. */
  private @Nullable SeriesCounter next(long nowMillis) {
    if (counters.hasNext()) {
      SeriesCounter counter = counters.next();
      return counter.isRemoved() ? null : counter; // removed after the iterator fetched it
    }
    if (!tables.hasNext()) {
      endRound(nowMillis);
      tables = all.iterator();
    }
    if (tables.hasNext()) {
      table = tables.next();
      counters = table.counters();
    }
    return null;
  }

  private void endRound(long nowMillis) {
    // A series that was added during the round lives for more than the shortest window.
    nothingExpiresBeforeMillis =
        Math.min(earliestExpiryMillis, roundStartMillis + Bounds.MIN_WINDOW_MILLIS);
    averageWorth = worthCount == 0 ? 0 : worthSum / worthCount;
    roundStartMillis = nowMillis;
    earliestExpiryMillis = Long.MAX_VALUE;
    worthSum = 0;
    worthCount = 0;
  }
}
