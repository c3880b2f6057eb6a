package io.tidegate.local;

import io.tidegate.model.Bounds;
import io.tidegate.model.Scope;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the series to end when there is no room for another: one that has expired if there is any
 * in reach, else a live one that has counted little, and one that denies only if there is no other.
 * So a spray of new identifiers displaces itself.
 *
 * <p>A hand goes round over all series, and a round tells two things for the next: until when
 * nothing can expire, so that nobody need search for it, and how much a series has counted on
 * average, so that one with less need not be compared with many.
 */
final class Evictor {

  /**
   * Most series looked at for one that has to go: that takes tens of microseconds, of the request
   * that waits.
   */
  private static final int MOST = 1_024;

  /** Fewest live series to choose from. */
  private static final int FEWEST = 16;

  /** A series that had to make room. */
  record Ended(Scope scope, String identifier, boolean alive) {}

  private final Collection<SeriesTable> all;
  private Iterator<SeriesTable> tables = Collections.emptyIterator();
  private @Nullable SeriesTable table;
  private Iterator<Map.Entry<String, SeriesCounter>> entries = Collections.emptyIterator();

  /** What the round before has told. */
  private long nothingExpiresBeforeMillis = Long.MIN_VALUE;

  private double averageWorth;

  /** What this round has met so far; the worth of series that are not strict. */
  private long roundStartMillis = Long.MIN_VALUE;

  private long earliestExpiryMillis = Long.MAX_VALUE;
  private double worthSum;
  private long worthCount;

  Evictor(Collection<SeriesTable> all) {
    this.all = all;
  }

  /**
   * Ends one series.
   *
   * @return which, or null if none in reach could be ended because others were busy with them
   */
  synchronized @Nullable Ended endOne(long nowMillis) {
    Map.Entry<String, SeriesCounter> least = null;
    SeriesTable tableOfLeast = null;
    long leastWorth = Long.MAX_VALUE;
    for (int looked = 1; looked <= MOST; looked++) {
      Map.Entry<String, SeriesCounter> entry = next(nowMillis);
      if (entry == null) {
        continue;
      }
      if (table.expire(entry, nowMillis)) {
        return new Ended(table.scope(), entry.getKey(), false);
      }
      long worth = meet(entry.getValue(), nowMillis);
      if (worth < leastWorth) {
        least = entry;
        tableOfLeast = table;
        leastWorth = worth;
      }
      if (looked >= FEWEST
          && leastWorth <= averageWorth
          && nowMillis < nothingExpiresBeforeMillis) {
        break;
      }
    }
    return least != null && tableOfLeast.evict(least)
        ? new Ended(tableOfLeast.scope(), least.getKey(), true)
        : null;
  }

  /**
   * Takes the hand off a table that was let go, or its memory would wait here for the next
   * eviction.
   */
  synchronized void leaveDetached() {
    if (table != null && !table.isAttached()) {
      table = null;
      entries = Collections.emptyIterator();
      tables = Collections.emptyIterator();
      roundStartMillis =
          Long.MIN_VALUE; // this round is given up, and does not tell what has not expired
    }
  }

  private long meet(SeriesCounter counter, long nowMillis) {
    earliestExpiryMillis =
        Math.min(earliestExpiryMillis, counter.expiresAtMillis(table.windowMillis()));
    long worth = counter.worth(nowMillis);
    if (worth < SeriesCounter.STRICT_WORTH) {
      worthSum += worth;
      worthCount++;
    }
    return worth;
  }

  /** Moves the hand on; null at the end of a table or a round, and where a series has just gone. */
  private Map.@Nullable Entry<String, SeriesCounter> next(long nowMillis) {
    if (entries.hasNext()) {
      Map.Entry<String, SeriesCounter> entry = entries.next();
      return entry.getValue().isGone() ? null : entry; // the iterator fetched it before it went
    }
    if (!tables.hasNext()) {
      endRound(nowMillis);
      tables = all.iterator();
    }
    if (tables.hasNext()) {
      table = tables.next();
      entries = table.entries().iterator();
    }
    return null;
  }

  private void endRound(long nowMillis) {
    // What was added during the round lives for two windows at least: well over a second from its
    // start.
    nothingExpiresBeforeMillis =
        Math.min(earliestExpiryMillis, roundStartMillis + Bounds.MIN_WINDOW_MILLIS);
    averageWorth = worthCount == 0 ? 0 : worthSum / worthCount;
    roundStartMillis = nowMillis;
    earliestExpiryMillis = Long.MAX_VALUE;
    worthSum = 0;
    worthCount = 0;
  }
}
