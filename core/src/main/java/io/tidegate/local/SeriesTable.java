package io.tidegate.local;

import io.tidegate.model.Decision;
import io.tidegate.model.Scope;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The series of one scope, by identifier, and the decision on one of them.
 *
 * <p>A table is attached to its store while it has series. A detached one has none and gets none:
 * it answers requests that need no series and passes the others to the attached table.
 */
public final class SeriesTable {

  /** The result of a decision of which only the verdict is wanted. */
  public enum Verdict {
    ALLOWED,
    DENIED,
    /** The origin has to be read before the decision; see {@link SeriesTable#decide}. */
    UNSURE
  }

  private final SeriesStore store;
  private final Scope scope;
  private final long windowMillis;

  /** Copies of the store's values, which every decision reads. */
  private final boolean hasOrigin;

  private final boolean published;

  /** Replaced by an empty one at detachment: it does not shrink, and a gate may keep this table. */
  private volatile CounterTable series = new CounterTable();

  /** Written under the monitor, as series are added, so that none is added to a detached table. */
  private volatile boolean attached;

  /**
   * The cell of the last sweep. Nothing in this table can expire before the next cell begins. Used
   * by the sweep alone.
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

  /** Admits the cost if the limit has room for it. Allocates nothing for a known series. */
  public Verdict take(String identifier, long limit, long cost, long nowMillis) {
    SeriesCounter counter = series.find(identifier);
    if (counter != null) {
      long outcome = counter.takePlainly(nowMillis, windowMillis, limit, cost);
      if (outcome >= 0) {
        return Verdict.ALLOWED;
      }
      if (outcome == SeriesCounter.DENIED) {
        enterStrictMode(identifier, counter, nowMillis);
        return Verdict.DENIED;
      }
    }
    return takeExactly(counter, identifier, limit, cost, nowMillis);
  }

  private Verdict takeExactly(
      @Nullable SeriesCounter found, String identifier, long limit, long cost, long nowMillis) {
    if (found == null && needsNoSeries(limit, cost)) {
      boolean allowed = Cells.unseen(nowMillis, windowMillis).admit(limit, cost, nowMillis);
      return allowed ? Verdict.ALLOWED : Verdict.DENIED;
    }
    SeriesCounter counter = found;
    while (true) {
      counter = counterAt(nowMillis, counter, identifier);
      long start = counter.startMillis();
      long outcome = counter.take(start, nowMillis, windowMillis, limit, cost, Basis.FRESH_COUNTS);
      if (outcome == SeriesCounter.UNSURE) {
        return Verdict.UNSURE;
      }
      if (outcome >= 0) {
        refreshIfUnsure(counter, nowMillis);
        return Verdict.ALLOWED;
      }
      if (outcome == SeriesCounter.DENIED) {
        enterStrictMode(identifier, counter, nowMillis);
        return Verdict.DENIED;
      }
    }
  }

  /**
   * Admits the cost if the limit has room for it, with all figures of the decision.
   *
   * @return the decision; null if the series is unsure, so that the origin has to be read and
   *     {@link #decideAfterRead} called afterwards. Null rather than an Optional: this is the hot
   *     path
   */
  public @Nullable Decision decide(String identifier, long limit, long cost, long nowMillis) {
    return decide(identifier, limit, cost, nowMillis, Basis.FRESH_COUNTS);
  }

  /** Decides after a read of the origin; null if this node's share is spent again already. */
  public @Nullable Decision decideAfterRead(
      String identifier, long limit, long cost, long nowMillis) {
    return decide(identifier, limit, cost, nowMillis, Basis.READ);
  }

  /** Decides by the counts of this node, however old they are. */
  public Decision decideFromMemory(String identifier, long limit, long cost, long nowMillis) {
    Decision decision = decide(identifier, limit, cost, nowMillis, Basis.MEMORY);
    return Objects.requireNonNull(decision, "a decision from memory is never unsure");
  }

  /** Adds a cost, whatever the limit. */
  public void record(String identifier, long limit, long cost, long nowMillis) {
    SeriesCounter counter = find(identifier);
    CellsCopy unused = new CellsCopy();
    do {
      counter = counterAt(nowMillis, counter, identifier);
    } while (!counter.hold(unused, nowMillis, windowMillis)); // removed meanwhile
    counter.release(cost);
    if (cost > 0) {
      counter.grown(Math.max(1, limit)); // 0 means that this node has admitted nothing
    }
  }

  /** The counter of a shared series, if there is one. */
  public @Nullable SharedCounter findShared(String identifier) {
    return (SharedCounter) find(identifier);
  }

  /** Finds or adds a shared series for a request. */
  public SharedCounter sharedCounter(String identifier, long nowMillis) {
    return sharedCounter(identifier, nowMillis, store.createdByRequests());
  }

  /** Finds or adds a shared series of which another region has reported a count. */
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

  /** Whether the store finds this table. */
  public boolean isAttached() {
    return attached;
  }

  private @Nullable Decision decide(
      String identifier, long limit, long cost, long nowMillis, Basis basis) {
    SeriesCounter counter = series.find(identifier);
    if (counter == null && needsNoSeries(limit, cost)) {
      return Cells.unseen(nowMillis, windowMillis).decide(limit, cost, nowMillis);
    }
    while (true) {
      counter = counterAt(nowMillis, counter, identifier);
      long start = counter.startMillis();
      long outcome = counter.take(start, nowMillis, windowMillis, limit, cost, basis);
      if (outcome == SeriesCounter.UNSURE) {
        return null;
      }
      if (outcome >= 0) {
        if (basis == Basis.FRESH_COUNTS) {
          refreshIfUnsure(counter, nowMillis);
        }
        return Cells.allowed(limit, outcome, start + windowMillis);
      }
      if (outcome == SeriesCounter.DENIED) {
        enterStrictMode(identifier, counter, nowMillis);
        Decision denial = explainDenial(counter, limit, cost, nowMillis);
        if (denial != null) {
          return denial;
        }
      }
    }
  }

  /**
   * The counter of a series, rotated to a time: the one that was found, or a new one. Another
   * thread may rotate it further, which {@link SeriesCounter#take} detects.
   */
  private SeriesCounter counterAt(
      long nowMillis, @Nullable SeriesCounter found, String identifier) {
    SeriesCounter counter = found;
    while (true) {
      if (counter == null) {
        counter = create(identifier, nowMillis);
        if (counter == null) {
          return store.attachedTable(scope).counterAt(nowMillis, null, identifier);
        }
      }
      long start = counter.roll(nowMillis, windowMillis);
      if (start == SeriesCounter.MOVED) {
        drop(counter);
        counter = series.find(identifier);
      } else if (nowMillis >= start || !rebaseIfAhead(counter, nowMillis)) {
        return counter;
      }
    }
  }

  /** Null if the series has meanwhile been removed, or rotated to a cell with room. */
  private @Nullable Decision explainDenial(
      SeriesCounter counter, long limit, long cost, long nowMillis) {
    Cells cells = counter.cells(nowMillis, windowMillis);
    Decision decision = cells == null ? null : cells.decide(limit, cost, nowMillis);
    return decision == null || decision.allowed() ? null : decision;
  }

  /** Requests a read for a decision that did not wait for one, so that the next can rely on it. */
  private void refreshIfUnsure(SeriesCounter counter, long nowMillis) {
    if (!counter.isSure(nowMillis)) {
      store.listener().refreshWanted((SharedCounter) counter, nowMillis);
    }
  }

  /**
   * Whether a request for an unknown series is answered without creating it: a certain denial, and
   * a peek unless the origin may hold counts of the series.
   */
  private boolean needsNoSeries(long limit, long cost) {
    return cost > limit || limit == 0 || (cost == 0 && !hasOrigin);
  }

  void enterStrictMode(String identifier, SeriesCounter counter, long nowMillis) {
    if (counter.enterStrictMode(nowMillis, windowMillis)) {
      store.listener().strictModeEntered(scope, identifier);
    }
  }

  @Nullable
  SeriesCounter find(String identifier) {
    return series.find(identifier);
  }

  /** Finds or adds a series, making room for it; null if this table is detached. */
  @Nullable
  SeriesCounter create(String identifier, long nowMillis) {
    return create(identifier, nowMillis, store.createdByRequests());
  }

  private @Nullable SeriesCounter create(String identifier, long nowMillis, LongAdder created) {
    if (!attached) {
      return null;
    }
    SeriesCounter known = find(identifier); // the caller may have looked into a detached table
    if (known != null) {
      return known; // before room is made for nothing
    }
    store.reserve(nowMillis);
    return putReserved(identifier, nowMillis, created);
  }

  /** Finds or adds a series without making room for it; null if this table is detached. */
  @Nullable
  SeriesCounter createBeyondBound(String identifier, long nowMillis) {
    store.reserveBeyondBound();
    return putReserved(identifier, nowMillis, store.createdByRequests());
  }

  private synchronized @Nullable SeriesCounter putReserved(
      String identifier, long nowMillis, LongAdder created) {
    SeriesCounter fresh =
        store.newCounter(this, identifier, SlidingWindow.cellStart(nowMillis, windowMillis));
    SeriesCounter found = attached ? series.putIfAbsent(fresh) : null;
    if (attached && found == null) {
      created.increment();
      return fresh;
    }
    store.release();
    return found;
  }

  /** Removes a series if it has expired. */
  boolean expire(SeriesCounter counter, long nowMillis) {
    boolean expired = counter.expire(nowMillis, windowMillis);
    if (expired) {
      drop(counter);
      store.countExpired();
    }
    return expired;
  }

  /**
   * Moves a series back to the present if its cell lies more than a window ahead of both the
   * request and the limiter's clock: otherwise one request at a wrong time would lock the series
   * until that time. The clock is read as well because a delayed thread decides with a time that is
   * past.
   *
   * @return whether the series was moved
   */
  boolean rebaseIfAhead(SeriesCounter counter, long nowMillis) {
    return counter.isAhead(nowMillis, windowMillis)
        && counter.rebase(store.clockMillis(), windowMillis);
  }

  /** Removes a live series to make room. */
  boolean evict(SeriesCounter counter) {
    boolean evicted = counter.evict();
    if (evicted) {
      drop(counter);
      store.countEvicted();
    }
    return evicted;
  }

  /** Drops a removed counter. Any thread that meets one does; one of them succeeds. */
  void drop(SeriesCounter removed) {
    if (series.remove(removed)) {
      store.release();
      detachIfEmpty();
    }
  }

  /** Whether a series may have expired since the last sweep began. */
  boolean beginSweep(long nowMillis) {
    long start = SlidingWindow.cellStart(nowMillis, windowMillis);
    boolean began = start != sweptStartMillis;
    sweptStartMillis = start;
    return began;
  }

  void detachIfEmpty() {
    if (series.isEmpty()) {
      synchronized (this) {
        if (attached && series.isEmpty()) {
          attached = false;
          series = new CounterTable();
          store.detach(scope, this);
        }
      }
    }
  }

  Iterator<SeriesCounter> counters() {
    return series.iterator();
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

  /** The divisor of {@link Share}, for the nodes that are alive. */
  int shareDivisor() {
    return store.shareDivisor();
  }

  /** Whether regions share the counts of this scope. */
  boolean isPublished() {
    return published;
  }

  public Scope scope() {
    return scope;
  }

  long windowMillis() {
    return windowMillis;
  }
}
