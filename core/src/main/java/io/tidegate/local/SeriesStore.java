package io.tidegate.local;

import io.tidegate.model.Scope;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All series of this process: a table for each scope that has series, a bound on their number, and
 * the queues of the series that other stores have still to receive.
 */
public final class SeriesStore {

  /** Receives the events of series. Called outside of all locks, by the thread that decides. */
  public interface Listener {

    default void strictModeEntered(Scope scope, String identifier) {}

    default void liveSeriesEvicted(Scope scope, String identifier) {}

    /**
     * The origin has to be read, because a request was admitted while its series was unsure, or
     * because half of this node's share is spent.
     */
    default void refreshWanted(SharedCounter counter, long nowMillis) {}
  }

  /** How often {@link #sweep} has to be called. */
  public static final Duration SWEEP_INTERVAL = LocalTimings.SWEEP_INTERVAL;

  /** Most series beyond the bound that one sweep evicts: each may take tens of microseconds. */
  private static final int MAX_EVICTED_PER_SWEEP = 500;

  /** A try fails only if other threads are changing all series in reach at that moment. */
  private static final int TRIES_TO_MAKE_ROOM = 4;

  /**
   * Part of {@code maxSeries} that bounds the evicted series in the push queue. Their counts are in
   * the origin too, if there is one, so fewer of them are kept than for the origin.
   */
  private static final int EVICTED_UNPUSHED_PART = 4;

  private final ConcurrentHashMap<Scope, SeriesTable> tables = new ConcurrentHashMap<>();
  private final Evictor evictor = new Evictor(tables.values());
  private final Sweeper sweeper = new Sweeper(tables.values());
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder expired = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final LongAdder created = new LongAdder();
  private final LongAdder imported = new LongAdder();
  private final AtomicInteger incarnations = new AtomicInteger();
  private final PendingQueue<Unconfirmed> unconfirmed;
  private final PendingQueue<Unpushed> unpushed;
  private final int maxSeries;
  private final boolean hasOrigin;
  private final @Nullable Duration shortestPublished;
  private final Listener listener;
  private final LongSupplier clockMillis;

  /**
   * Elapsed time minus the time of the clock, when they were last compared. Written by the regional
   * tick, read by decisions, which have only the time of the clock.
   */
  private volatile long elapsedLessClockMillis;

  /** Written by the regional layer when nodes join or leave, read by decisions. */
  private volatile int shareDivisor = Share.divisor(1);

  /**
   * An empty store.
   *
   * @param maxSeries most series at a time
   * @param hasOrigin whether the nodes of a region share their counts
   * @param shortestPublished the shortest window that regions share; null if they share nothing
   * @param listener receives events
   * @param clockMillis the limiter's clock, read only where the time of a request is in doubt
   */
  public SeriesStore(
      int maxSeries,
      boolean hasOrigin,
      @Nullable Duration shortestPublished,
      Listener listener,
      LongSupplier clockMillis) {
    this(
        maxSeries,
        hasOrigin,
        shortestPublished,
        listener,
        clockMillis,
        new ConcurrentLinkedQueue<>());
  }

  /** A store with a replay queue of the caller's, for tests of an addition that fails. */
  SeriesStore(
      int maxSeries,
      boolean hasOrigin,
      @Nullable Duration shortestPublished,
      Listener listener,
      LongSupplier clockMillis,
      Queue<Unconfirmed> unconfirmed) {
    this.maxSeries = maxSeries;
    this.clockMillis = clockMillis;
    this.hasOrigin = hasOrigin;
    this.shortestPublished = shortestPublished;
    this.listener = listener;
    this.unconfirmed = new PendingQueue<>(unconfirmed, maxSeries, this::evicted);
    this.unpushed = new PendingQueue<>(maxSeries / EVICTED_UNPUSHED_PART, this::evicted);
  }

  /** The series with own counts that the origin has not confirmed. */
  public PendingQueue<Unconfirmed> unconfirmed() {
    return unconfirmed;
  }

  /** The series with counts that have grown since the push policy last judged them. */
  public PendingQueue<Unpushed> unpushed() {
    return unpushed;
  }

  /** The table of a scope; a new one, which the store does not keep, if the scope has no series. */
  public SeriesTable table(Scope scope) {
    SeriesTable table = find(scope);
    return table != null ? table : new SeriesTable(this, scope, false);
  }

  /** The table of a scope, or null if the scope has no series. */
  public @Nullable SeriesTable find(Scope scope) {
    return tables.get(scope);
  }

  /**
   * The table of a scope, to add a series to. A table that is being detached may still be listed;
   * it is replaced without waiting for the thread that detaches it.
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

  /** As {@link #sweep(long)}, by the limiter's clock. */
  public void sweep() {
    sweep(clockMillis());
  }

  /**
   * Removes expired series and evicts those beyond the bound, in one step of bounded size. To be
   * called every {@link #SWEEP_INTERVAL}, by one thread at a time. A series is removed within 5 s
   * of its expiry, and a quarter of a second more for every 20,000 series and scopes in memory.
   *
   * @return how many series and tables were examined for expired ones
   */
  public int sweep(long nowMillis) {
    int examined = sweeper.step(nowMillis);
    for (int i = 0;
        i < MAX_EVICTED_PER_SWEEP && size.get() > maxSeries && makeRoom(nowMillis);
        i++) {
      // until the bound holds again
    }
    evictor.leaveDetached();
    return examined;
  }

  /**
   * Counts one series more, and removes another if the store is full. Does not wait for threads
   * that are changing all candidates: the bound is exceeded until the next addition or sweep.
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

  /** Counts one series more. The next addition or sweep restores the bound. */
  void reserveBeyondBound() {
    size.incrementAndGet();
  }

  /**
   * Compares elapsed time with the clock. Until the next call, {@link #elapsedMillis} is wrong by
   * as much as the clock is set.
   */
  public void alignClock(long nowMillis, long elapsedMillis) {
    long difference = elapsedMillis - nowMillis;
    if (Math.abs(difference - elapsedLessClockMillis) > LocalTimings.ALIGNED_MILLIS) {
      elapsedLessClockMillis = difference;
    }
  }

  /** Elapsed time at this time of the clock. */
  long elapsedMillis(long nowMillis) {
    return nowMillis + elapsedLessClockMillis;
  }

  /** Sets how many nodes of this region share the limits, this one included. */
  public void setLiveNodes(int nodes) {
    shareDivisor = Share.divisor(nodes);
  }

  int shareDivisor() {
    return shareDivisor;
  }

  /** The time by the limiter's clock. */
  long clockMillis() {
    return clockMillis.getAsLong();
  }

  private boolean makeRoom(long nowMillis) {
    Evictor.Removed removed = evictor.removeOne(nowMillis);
    if (removed != null && removed.alive()) {
      listener.liveSeriesEvicted(removed.scope(), removed.identifier());
    }
    return removed != null;
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

  /** Whether the nodes of a region share their counts. */
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
        ? new SharedCounter(table, identifier, nextIncarnation(), startMillis)
        : new SeriesCounter(identifier, startMillis);
  }

  /** A number that no other counter of this process has had. */
  int nextIncarnation() {
    return incarnations.incrementAndGet();
  }

  /** All shared series, in no order. Series that are added meanwhile may be missed. */
  public Iterator<SharedCounter> sharedCounters() {
    Iterator<SeriesTable> outer = tables.values().iterator();
    return new Iterator<>() {
      private Iterator<SeriesCounter> inner = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!inner.hasNext() && outer.hasNext()) {
          inner = outer.next().counters();
        }
        return inner.hasNext();
      }

      @Override
      public SharedCounter next() {
        return (SharedCounter) inner.next();
      }
    };
  }

  /** Most series at a time. */
  public int maxSeries() {
    return maxSeries;
  }

  /** Number of series. */
  public int size() {
    return size.get();
  }

  /** Number of scopes that have series. */
  public int tableCount() {
    return tables.size();
  }

  /** Number of series created by requests. */
  public long created() {
    return created.sum();
  }

  /** Number of series created because other regions reported counts of them. */
  public long imported() {
    return imported.sum();
  }

  /** Number of series removed past their lifetime. */
  public long expired() {
    return expired.sum();
  }

  /** Number of live series removed to make room. */
  public long evicted() {
    return evicted.sum();
  }
}
