package io.tidegate.local;

import io.tidegate.model.Scope;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All series of this process: a table for each scope that has some, and a bound on their number.
 */
public final class SeriesStore {

  /** What happens to series without anybody asking. */
  public interface Listener {

    default void strictModeEntered(Scope scope, String identifier) {}

    default void liveSeriesEvicted(Scope scope, String identifier) {}

    /** The own counts of a series have grown; not called again until it is unqueued. */
    default void changed(SharedCounter counter) {}

    /**
     * What the region counted of a series, or what other regions did, has grown; not called again
     * until it is unqueued.
     */
    default void pushWanted(SharedCounter counter) {}

    /** A decision did not wait for what the origin knows, but the next one should know it. */
    default void refreshWanted(SharedCounter counter, long nowMillis) {}
  }

  /** How often {@link #sweep} has to be called. */
  public static final Duration SWEEP_INTERVAL = Duration.ofMillis(250);

  /** Most series beyond the bound that one sweep ends: each may take tens of microseconds. */
  private static final int MOST_EVICTED_PER_SWEEP = 500;

  /** Each fails only if somebody else does something to all series in reach at that moment. */
  private static final int TRIES_TO_MAKE_ROOM = 4;

  /** Below this, a difference is rounding: the field that all decisions read is not written. */
  private static final long ALIGNED_MILLIS = 5;

  private final ConcurrentHashMap<Scope, SeriesTable> tables = new ConcurrentHashMap<>();
  private final Evictor evictor = new Evictor(tables.values());
  private final Sweeper sweeper = new Sweeper(tables.values());
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder expired = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final LongAdder created = new LongAdder();
  private final LongAdder imported = new LongAdder();
  private final AtomicInteger lives = new AtomicInteger();
  private final int maxSeries;
  private final boolean hasOrigin;
  private final @Nullable Duration shortestPublished;
  private final Listener listener;
  private final LongSupplier clockMillis;

  /**
   * Elapsed time less the time of the clock, when they were last compared. Written by the regional
   * tick, read by decisions, which have the time of the clock only.
   */
  private volatile long elapsedLessClockMillis;

  /**
   * An empty store.
   *
   * @param maxSeries most series at a time
   * @param hasOrigin whether the nodes of a region share their counts
   * @param shortestPublished the shortest window that regions share; null if they share nothing
   * @param listener is told what happens
   * @param clockMillis the limiter's clock, read only where the time of a request is in doubt
   */
  public SeriesStore(
      int maxSeries,
      boolean hasOrigin,
      @Nullable Duration shortestPublished,
      Listener listener,
      LongSupplier clockMillis) {
    this.maxSeries = maxSeries;
    this.clockMillis = clockMillis;
    this.hasOrigin = hasOrigin;
    this.shortestPublished = shortestPublished;
    this.listener = listener;
  }

  /** The table of a scope; one without series is made for the asking and kept by nobody. */
  public SeriesTable table(Scope scope) {
    SeriesTable table = find(scope);
    return table != null ? table : new SeriesTable(this, scope, false);
  }

  /** The table of a scope, or null when none of its series is known. */
  public @Nullable SeriesTable find(Scope scope) {
    return tables.get(scope);
  }

  /**
   * The table of a scope, to add a series to. One that was just let go may still be listed: it is
   * replaced at once, for whoever lets it go may take its time.
   */
  SeriesTable attachedTable(Scope scope) {
    return tables.compute(
        scope,
        (same, table) ->
            table != null && table.isAttached() ? table : new SeriesTable(this, same, true));
  }

  void detach(Scope scope, SeriesTable table) {
    tables.remove(scope, table);
  }

  /**
   * Ends expired series, and what is beyond the bound, as far as one step goes. To be called every
   * {@link #SWEEP_INTERVAL}, by one thread at a time. A series is ended within 5 s of its expiry,
   * and a quarter of a second more for every 20,000 series and scopes in memory.
   *
   * @return how many series and tables it has looked at for expired ones
   */
  public int sweep(long nowMillis) {
    int looked = sweeper.step(nowMillis);
    for (int i = 0;
        i < MOST_EVICTED_PER_SWEEP && size.get() > maxSeries && makeRoom(nowMillis);
        i++) {
      // until the bound holds again
    }
    evictor.leaveDetached();
    return looked;
  }

  /**
   * Counts one series more, ending another when there are as many as there may be. Where others are
   * busy with all that could go, nobody waits for them: the bound gives until the next series or
   * sweep.
   */
  void reserve(long nowMillis) {
    for (int tries = 0; tries < TRIES_TO_MAKE_ROOM; ) {
      int known = size.get();
      if (known >= maxSeries) {
        tries += makeRoom(nowMillis) ? 0 : 1;
      } else if (size.compareAndSet(known, known + 1)) {
        return;
      }
    }
    reserveBeyondBound();
  }

  /** Counts one series more; whoever comes next, or the sweep, restores the bound. */
  void reserveBeyondBound() {
    size.incrementAndGet();
  }

  /**
   * Compares elapsed time with the clock. Between two calls, {@link #elapsedMillis} is wrong by as
   * much as the clock has been set.
   */
  public void alignClock(long nowMillis, long elapsedMillis) {
    long difference = elapsedMillis - nowMillis;
    if (Math.abs(difference - elapsedLessClockMillis) > ALIGNED_MILLIS) {
      elapsedLessClockMillis = difference;
    }
  }

  /** Elapsed time at this time of the clock. */
  long elapsedMillis(long nowMillis) {
    return nowMillis + elapsedLessClockMillis;
  }

  /** The time by the limiter's clock. */
  long clockMillis() {
    return clockMillis.getAsLong();
  }

  /** The listener is told outside of all locks: what it does is not ours to know. */
  private boolean makeRoom(long nowMillis) {
    Evictor.Ended ended = evictor.endOne(nowMillis);
    if (ended != null && ended.alive()) {
      listener.liveSeriesEvicted(ended.scope(), ended.identifier());
    }
    return ended != null;
  }

  /** Counts one series less. */
  void release() {
    size.decrementAndGet();
  }

  void countExpired() {
    expired.increment();
  }

  void countEvicted() {
    evicted.increment();
  }

  LongAdder createdByRequests() {
    return created;
  }

  LongAdder createdByPulls() {
    return imported;
  }

  Listener listener() {
    return listener;
  }

  /** Whether there is somebody to ask about a series that is unknown here. */
  boolean hasOrigin() {
    return hasOrigin;
  }

  /** Whether regions share their counts of windows of this length. */
  public boolean publishes(long windowMillis) {
    return shortestPublished != null
        && Duration.ofMillis(windowMillis).compareTo(shortestPublished) >= 0;
  }

  SeriesCounter newCounter(SeriesTable table, String identifier, long startMillis) {
    return hasOrigin || shortestPublished != null
        ? new SharedCounter(table, identifier, nextLife(), startMillis)
        : new SeriesCounter(startMillis);
  }

  /** A number for the life of a counter that no other of this process has had. */
  int nextLife() {
    return lives.incrementAndGet();
  }

  /** All series that others count too, in no order; those that come meanwhile may be missed. */
  public Iterator<SharedCounter> sharedCounters() {
    Iterator<SeriesTable> outer = tables.values().iterator();
    return new Iterator<>() {
      private Iterator<SeriesCounter> inner = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!inner.hasNext() && outer.hasNext()) {
          inner = outer.next().counters().iterator();
        }
        return inner.hasNext();
      }

      @Override
      public SharedCounter next() {
        return (SharedCounter) inner.next();
      }
    };
  }

  /** How many series there may be. */
  public int maxSeries() {
    return maxSeries;
  }

  /** How many series there are. */
  public int size() {
    return size.get();
  }

  /** How many scopes have series. */
  public int tableCount() {
    return tables.size();
  }

  /** How many series have been created because of requests. */
  public long created() {
    return created.sum();
  }

  /** How many series have been created because other regions reported counts of them. */
  public long imported() {
    return imported.sum();
  }

  /** How many series have ended because they could not matter any more. */
  public long expired() {
    return expired.sum();
  }

  /** How many series have ended alive, to make room. */
  public long evicted() {
    return evicted.sum();
  }
}
