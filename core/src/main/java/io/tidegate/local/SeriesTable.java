package io.tidegate.local;

import io.tidegate.model.Decision;
import io.tidegate.model.Scope;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The series of one scope, by identifier, and the decision on one of them.
 *
 * <p>A table is attached to its store while it has series. One that is not attached has none and
 * gets none: it answers what can be answered without, and sends the rest to the attached one.
 */
public final class SeriesTable {

  /**
   * What {@link #take} gets instead of an answer: it wants the verdict only, and must not allocate.
   */
  private static final Decision TAKEN =
      new Decision(true, 0, 0, 0, 0, 0, Decision.Source.LOCAL, false);

  private static final Decision REFUSED =
      new Decision(false, 0, 0, 0, 1, 0, Decision.Source.LOCAL, false);

  /** Some have a scope for each series: a map of the usual capacity would take 56 bytes more. */
  private static final int SMALLEST = 1;

  private final SeriesStore store;
  private final Scope scope;
  private final long windowMillis;

  /** As the store says: looked up with every decision. */
  private final boolean hasOrigin;

  private final boolean published;

  /**
   * Replaced by an empty one when the table is let go: a map does not shrink, and a gate may keep
   * the table.
   */
  private ConcurrentHashMap<String, SeriesCounter> series = new ConcurrentHashMap<>(SMALLEST);

  /**
   * Written under the monitor, under which series are also added: so none is added to a table that
   * was let go.
   */
  private volatile boolean attached;

  /**
   * The cell at the last sweep: until the next one begins, nothing here can expire. Used by the
   * sweep alone.
   */
  private long sweptStartMillis = Long.MIN_VALUE;

  SeriesTable(SeriesStore store, Scope scope, boolean attached) {
    this.store = store;
    this.scope = scope;
    this.windowMillis = scope.windowMillis();
    this.hasOrigin = store.hasOrigin();
    this.published = store.publishes(windowMillis);
    this.attached = attached;
  }

  /**
   * Takes the cost if the limit has room for it, and says whether it had: of the answer only that
   * can be relied on. Allocates nothing for a known series.
   *
   * @return null if the origin has to be asked first
   */
  public @Nullable Decision take(String identifier, long limit, long cost, long nowMillis) {
    SeriesCounter counter = series.get(identifier);
    if (counter != null) {
      long outcome = counter.takePlainly(nowMillis, windowMillis, limit, cost);
      if (outcome >= 0) {
        return TAKEN;
      }
      if (outcome == SeriesCounter.DENIED) {
        enterStrictMode(identifier, counter, nowMillis);
        return REFUSED;
      }
    }
    return judge(counter, identifier, limit, cost, nowMillis, false, false);
  }

  /**
   * Takes the cost if the limit has room for it, and says all about it.
   *
   * @return null if the origin has to be asked first
   */
  public @Nullable Decision decide(String identifier, long limit, long cost, long nowMillis) {
    return judge(series.get(identifier), identifier, limit, cost, nowMillis, true, false);
  }

  /** The same by what is known here, whatever others may know. */
  public Decision decideUnsure(String identifier, long limit, long cost, long nowMillis) {
    return judge(series.get(identifier), identifier, limit, cost, nowMillis, true, true);
  }

  /** The counter of a series that others count too, if there is one. */
  public @Nullable SharedCounter findShared(String identifier) {
    return (SharedCounter) find(identifier);
  }

  /** The counter of a series that others count too: the one that there is, or a new one. */
  public SharedCounter sharedCounter(String identifier, long nowMillis) {
    return sharedCounter(identifier, nowMillis, store.createdByRequests());
  }

  /** The same for a series that another region reported. */
  public SharedCounter importedCounter(String identifier, long nowMillis) {
    return sharedCounter(identifier, nowMillis, store.createdByPulls());
  }

  private SharedCounter sharedCounter(String identifier, long nowMillis, LongAdder created) {
    SeriesCounter counter = find(identifier);
    while (counter == null) {
      counter = store.attachedTable(scope).create(identifier, nowMillis, created);
    }
    return (SharedCounter) counter;
  }

  /** Whether this is the table that series are found in. */
  public boolean isAttached() {
    return attached;
  }

  /** Decides on a series that was looked up just before. */
  private @Nullable Decision judge(
      @Nullable SeriesCounter counter,
      String identifier,
      long limit,
      long cost,
      long nowMillis,
      boolean explain,
      boolean unsure) {
    while (true) {
      if (counter == null) {
        if (leavesNoTrace(limit, cost)) {
          return Cells.unseen(nowMillis, windowMillis).decide(limit, cost, nowMillis);
        }
        counter = create(identifier, nowMillis);
        if (counter == null) {
          SeriesTable table = store.attachedTable(scope);
          return table.judge(
              table.find(identifier), identifier, limit, cost, nowMillis, explain, unsure);
        }
      }
      long start = counter.roll(nowMillis, windowMillis);
      if (start == SeriesCounter.MOVED) {
        forget(identifier, counter);
        counter = series.get(identifier);
        continue;
      }
      if (nowMillis < start && rebaseIfAhead(counter, nowMillis)) {
        continue;
      }
      long outcome = counter.take(start, nowMillis, windowMillis, limit, cost, unsure);
      if (outcome == SeriesCounter.UNSURE) {
        return null;
      }
      if (outcome >= 0) {
        if (!unsure && !counter.isSure(nowMillis)) {
          store.listener().refreshWanted((SharedCounter) counter, nowMillis);
        }
        return explain ? Cells.allowed(limit, outcome, start + windowMillis) : TAKEN;
      }
      if (outcome == SeriesCounter.DENIED) {
        enterStrictMode(identifier, counter, nowMillis);
        Decision denied = explain ? explainDenial(counter, limit, cost, nowMillis) : REFUSED;
        if (denied != null) {
          return denied;
        }
      }
    }
  }

  /**
   * Whether a request for an unknown series is answered without making one: a denial that is
   * certain, and a look, unless others may know what it looks for.
   */
  boolean leavesNoTrace(long limit, long cost) {
    return cost > limit || limit == 0 || cost == 0 && !store.hasOrigin();
  }

  /**
   * Says all about a denial; null if by now the series is gone or has rolled on to a cell with
   * room.
   */
  private @Nullable Decision explainDenial(
      SeriesCounter counter, long limit, long cost, long nowMillis) {
    Cells cells = counter.cells(nowMillis, windowMillis);
    Decision decision = cells == null ? null : cells.decide(limit, cost, nowMillis);
    return decision == null || decision.allowed() ? null : decision;
  }

  void enterStrictMode(String identifier, SeriesCounter counter, long nowMillis) {
    if (counter.enterStrictMode(nowMillis, windowMillis)) {
      store.listener().strictModeEntered(scope, identifier);
    }
  }

  @Nullable
  SeriesCounter find(String identifier) {
    return series.get(identifier);
  }

  /** Finds or adds a series, making room for it; null when this table is not attached. */
  @Nullable
  SeriesCounter create(String identifier, long nowMillis) {
    return create(identifier, nowMillis, store.createdByRequests());
  }

  private @Nullable SeriesCounter create(String identifier, long nowMillis, LongAdder created) {
    if (!attached) {
      return null;
    }
    SeriesCounter known = find(identifier); // whoever asks may have looked into a table let go
    if (known != null) {
      return known; // and nobody has to make room
    }
    store.reserve(nowMillis);
    return putReserved(identifier, nowMillis, created);
  }

  /** Finds or adds a series, without making room for it; null when this table is not attached. */
  @Nullable
  SeriesCounter createBeyondBound(String identifier, long nowMillis) {
    store.reserveBeyondBound();
    return putReserved(identifier, nowMillis, store.createdByRequests());
  }

  private synchronized @Nullable SeriesCounter putReserved(
      String identifier, long nowMillis, LongAdder created) {
    SeriesCounter fresh =
        store.newCounter(this, identifier, SlidingWindow.cellStart(nowMillis, windowMillis));
    SeriesCounter found = attached ? series.putIfAbsent(identifier, fresh) : null;
    if (attached && found == null) {
      created.increment();
      return fresh;
    }
    store.release();
    return found;
  }

  /** Ends a series that has expired. */
  boolean expire(Map.Entry<String, SeriesCounter> entry, long nowMillis) {
    boolean expired = entry.getValue().expire(nowMillis, windowMillis);
    if (expired) {
      forget(entry.getKey(), entry.getValue());
      store.countExpired();
    }
    return expired;
  }

  /**
   * Moves a series back to the present if its cell lies more than a window ahead of the request and
   * of the limiter's clock: otherwise one request at a wrong time would lock it until that time.
   * The clock is asked too because a thread that was held up decides late, with a time that is
   * past.
   *
   * @return whether it was moved
   */
  boolean rebaseIfAhead(SeriesCounter counter, long nowMillis) {
    return counter.isAhead(nowMillis, windowMillis)
        && counter.rebase(store.clockMillis(), windowMillis);
  }

  /** Ends a live series, to make room. */
  boolean evict(Map.Entry<String, SeriesCounter> entry) {
    boolean evicted = entry.getValue().evict();
    if (evicted) {
      forget(entry.getKey(), entry.getValue());
      store.countEvicted();
    }
    return evicted;
  }

  /** Removes a counter that is gone; whoever meets it does, and one of them succeeds. */
  void forget(String identifier, SeriesCounter gone) {
    if (series.remove(identifier, gone)) {
      store.release();
      letGoIfEmpty();
    }
  }

  /** Whether a series may have expired since the last sweep began. */
  boolean beginSweep(long nowMillis) {
    long start = SlidingWindow.cellStart(nowMillis, windowMillis);
    boolean began = start != sweptStartMillis;
    sweptStartMillis = start;
    return began;
  }

  void letGoIfEmpty() {
    if (series.isEmpty()) {
      synchronized (this) {
        if (attached && series.isEmpty()) {
          attached = false;
          series = new ConcurrentHashMap<>(SMALLEST);
          store.detach(scope, this);
        }
      }
    }
  }

  Iterable<Map.Entry<String, SeriesCounter>> entries() {
    return series.entrySet();
  }

  Collection<SeriesCounter> counters() {
    return series.values();
  }

  void changed(SharedCounter counter) {
    store.listener().changed(counter);
  }

  void pushWanted(SharedCounter counter) {
    store.listener().pushWanted(counter);
  }

  /** Elapsed time at this time of the clock. */
  long elapsedMillis(long nowMillis) {
    return store.elapsedMillis(nowMillis);
  }

  SeriesStore store() {
    return store;
  }

  boolean hasOrigin() {
    return hasOrigin;
  }

  /** Whether regions share the counts of this scope. */
  boolean isPublished() {
    return published;
  }

  Scope scope() {
    return scope;
  }

  long windowMillis() {
    return windowMillis;
  }
}
