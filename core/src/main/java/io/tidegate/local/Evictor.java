package io.tidegate.local;

import io.tidegate.model.Bounds;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the series to end when there is no room for another: one that has expired if there is any
 * in reach, else the live one that knows least among a few. So a spray of new identifiers displaces
 * itself, and a series at its limit stays.
 *
 * <p>A hand goes round over all series. A round that met nothing expired tells until when there can
 * be nothing, and until then the search is left out.
 */
final class Evictor {

  /**
   * Most series looked at in search of an expired one: some 100 microseconds, for the request that
   * waits.
   */
  private static final int SEARCH = 4_096;

  /**
   * Live series to choose from: of eight at random, the least is nearly surely in the lower half.
   */
  private static final int SAMPLE = 8;

  private final Collection<SeriesTable> all;
  private Iterator<SeriesTable> tables = Collections.emptyIterator();
  private @Nullable SeriesTable table;
  private Iterator<Map.Entry<String, SeriesCounter>> entries = Collections.emptyIterator();

  /** When the hand began its round, and the earliest expiry it has met since. */
  private long roundStartMillis = Long.MIN_VALUE;

  private long earliestExpiryMillis = Long.MAX_VALUE;
  private long nothingExpiresBeforeMillis = Long.MIN_VALUE;

  Evictor(Collection<SeriesTable> all) {
    this.all = all;
  }

  /** Ends one series; false if none in reach could be, because batches hold them. */
  synchronized boolean evictOne(long nowMillis) {
    return evictExpired(nowMillis) || evictLeast(nowMillis);
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
      roundStartMillis = Long.MIN_VALUE; // this round is given up, and tells nothing
    }
  }

  private boolean evictExpired(long nowMillis) {
    for (int looked = 0; looked < SEARCH && nowMillis >= nothingExpiresBeforeMillis; looked++) {
      Map.Entry<String, SeriesCounter> entry = next(nowMillis);
      if (entry != null && table.expire(entry, nowMillis)) {
        return true;
      }
    }
    return false;
  }

  private boolean evictLeast(long nowMillis) {
    Map.Entry<String, SeriesCounter> least = null;
    SeriesTable tableOfLeast = table;
    for (int looked = 0; looked < SAMPLE; looked++) {
      Map.Entry<String, SeriesCounter> entry = next(nowMillis);
      if (entry != null
          && (least == null || entry.getValue().known() < least.getValue().known())) {
        least = entry;
        tableOfLeast = table;
      }
    }
    return least != null && tableOfLeast.evict(least);
  }

  /** Moves the hand on; null at the end of a round, and where a table has nothing. */
  private Map.@Nullable Entry<String, SeriesCounter> next(long nowMillis) {
    if (entries.hasNext()) {
      Map.Entry<String, SeriesCounter> entry = entries.next();
      earliestExpiryMillis =
          Math.min(earliestExpiryMillis, entry.getValue().expiresAtMillis(table.windowMillis()));
      return entry;
    }
    if (!tables.hasNext()) {
      // What was added during the round lives for a window at least, hence for a second from the
      // round's start.
      nothingExpiresBeforeMillis =
          Math.min(earliestExpiryMillis, roundStartMillis + Bounds.MIN_WINDOW_MILLIS);
      roundStartMillis = nowMillis;
      earliestExpiryMillis = Long.MAX_VALUE;
      tables = all.iterator();
    }
    if (tables.hasNext()) {
      table = tables.next();
      entries = table.entries().iterator();
    }
    return null;
  }
}
