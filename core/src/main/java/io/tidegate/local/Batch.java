package io.tidegate.local;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The decision on several requests of which all are admitted or none.
 *
 * <p>Nothing is charged tentatively. If a first look shows that a limit has no room, or a series
 * does not exist, the batch reads all series, and ends there if a limit has no room. Otherwise it
 * holds the series in one order that all batches share, checks them, and charges them together.
 * Missing series are added before any is held, so that no request waits for an addition. Used by
 * one thread.
 */
public final class Batch {

  private static final boolean[] NOTHING_TRIED = {};
  private static final SharedCounter[] NOTHING_CHECKED = {};

  private final SeriesStore store;
  private final LimitRequest[] requests;
  private final long nowMillis;

  /** The series of each request. */
  private final Target[] targets;

  /** The cost that each request is checked with: its own, and those before it on the series. */
  private final long[] costs;

  /**
   * Every series once, in their order: all batches hold series in the same order, so two batches
   * never wait for each other. Only the first {@link #distinctCount} are used.
   */
  private final Target[] distinct;

  private int distinctCount;

  private boolean allowed;

  /** Whether the last try found room in all limits, but not in this node's share of one. */
  private boolean unsure;

  /** The requests for which the last try found room in the limit, but not in the share. */
  private boolean[] beyondShare = NOTHING_TRIED;

  /** The counters of the requests, if {@link #unsure} needed them. */
  private SharedCounter[] checked = NOTHING_CHECKED;

  /** A batch to be decided on at this time. */
  public Batch(SeriesStore store, LimitRequest[] requests, long nowMillis) {
    this.store = store;
    this.requests = requests;
    this.nowMillis = nowMillis;
    this.targets = new Target[requests.length];
    this.costs = new long[requests.length];
    this.distinct = new Target[requests.length];
    for (int i = 0; i < requests.length; i++) {
      Target target = distinct(new Target(requests[i]));
      target.charge += requests[i].cost();
      target.limit = Math.min(target.limit, requests[i].limit());
      targets[i] = target;
      costs[i] = target.charge;
    }
  }

  /** Adds a series at its place in the order, unless it is there already; returns the one there. */
  private Target distinct(Target target) {
    int low = 0;
    int high = distinctCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = distinct[middle].compareTo(target);
      if (order == 0) {
        return distinct[middle];
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(distinct, low, distinct, low + 1, distinctCount - low);
    distinct[low] = target;
    distinctCount++;
    return target;
  }

  /**
   * Whether the origin has to be read before {@link #decide}, for each request. Not for any of them
   * if a limit has no room by the counts of this node.
   */
  public boolean[] unsure() {
    boolean[] unsure = new boolean[requests.length];
    read();
    if (hasRoom()) {
      checked = new SharedCounter[requests.length];
      for (int i = 0; i < requests.length; i++) {
        SharedCounter counter = targets[i].shared();
        checked[i] = counter;
        long effective = targets[i].effective(costs[i]);
        long most = requests[i].cost() == 0
            ? counter.mostToPeek(requests[i].limit(), nowMillis)
            : counter.mostWithoutRead(requests[i].limit(), nowMillis);
        unsure[i] =
            effective > most || targets[i].exceedsShare(requests[i], costs[i], Basis.FRESH_COUNTS);
        if (!unsure[i] && !counter.isSure(nowMillis)) {
          store.listener().refreshWanted(counter, nowMillis);
        }
      }
    }
    return unsure;
  }

  /** The requests that {@link #decideAfterReads} has found to be beyond this node's share. */
  public boolean[] beyondShare() {
    return beyondShare;
  }

  /**
   * Whether a series was removed since {@link #unsure} found it: its successor is decided on
   * without the counts of others.
   */
  public boolean hasLost(int index) {
    return index < checked.length && checked[index].isRemoved();
  }

  public LimitRequest request(int index) {
    return requests[index];
  }

  /** Admits the costs of all requests if every limit has room, else none of them. */
  public BatchDecision decide() {
    BatchDecision decision = tryToDecide(null);
    return Objects.requireNonNull(decision, "a decision from memory is never unsure");
  }

  /**
   * Decides after reads of the unsure series.
   *
   * @param mustKeepShare whether a request must not exceed this node's share
   * @return the decision; null if the limits have room but a share is spent, as
   *     {@link #beyondShare} says
   */
  public @Nullable BatchDecision decideAfterReads(IntPredicate mustKeepShare) {
    return tryToDecide(mustKeepShare);
  }

  /** A null predicate is one that is false for all requests. */
  private @Nullable BatchDecision tryToDecide(@Nullable IntPredicate mustKeepShare) {
    unsure = false; // of an earlier try
    if (!seemsToHaveRoom() || !takeAll(mustKeepShare)) {
      do {
        read();
      } while (hasRoom() && !takeAll(mustKeepShare));
    }
    for (int i = 0; allowed && i < distinctCount; i++) {
      distinct[i].grown();
    }
    return unsure ? null : answer();
  }

  /**
   * Finds the series, and returns whether all exist and have room by a first look, so that they can
   * be held without being read before. A batch that is likely to be denied is read first: it should
   * not make other requests wait.
   */
  private boolean seemsToHaveRoom() {
    for (int i = 0; i < distinctCount; i++) {
      if (!distinct[i].find()) {
        return false;
      }
    }
    for (int i = 0; i < requests.length; i++) {
      if (!targets[i].seemsToAdmit(requests[i].limit(), costs[i])) {
        return false;
      }
    }
    return true;
  }

  private void read() {
    for (int i = 0; i < distinctCount; i++) {
      distinct[i].read();
    }
  }

  /** Whether every limit has room by the cells that were read last. */
  private boolean hasRoom() {
    for (int i = 0; i < requests.length; i++) {
      if (!targets[i].admits(requests[i].limit(), costs[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Checks again with all series held, and charges them if all have room; false if a series was
   * added or removed meanwhile. Holds and releases allocate nothing: a series that stayed held
   * would block its requests for ever.
   */
  private boolean takeAll(@Nullable IntPredicate mustKeepShare) {
    for (int i = 0; i < distinctCount; i++) {
      distinct[i].addIfCharged();
    }
    int held = 0;
    try {
      for (; held < distinctCount; held++) {
        if (!distinct[held].hold()) {
          return false;
        }
      }
      for (int i = 0; i < distinctCount; i++) {
        if (distinct[i].wasAdded()) {
          return false;
        }
      }
      boolean room = hasRoom();
      unsure = room && mustKeepShare != null && exceedsShare(mustKeepShare);
      allowed = room && !unsure;
      return true;
    } finally {
      for (int i = 0; i < held; i++) {
        distinct[i].release();
      }
    }
  }

  private boolean exceedsShare(IntPredicate mustKeepShare) {
    boolean exceeds = false;
    beyondShare = new boolean[requests.length];
    for (int i = 0; i < requests.length; i++) {
      beyondShare[i] =
          mustKeepShare.test(i) && targets[i].exceedsShare(requests[i], costs[i], Basis.READ);
      exceeds = exceeds || beyondShare[i];
    }
    return exceeds;
  }

  private BatchDecision answer() {
    Decision[] decisions = new Decision[requests.length];
    for (int i = 0; i < requests.length; i++) {
      long limit = requests[i].limit();
      if (targets[i].admits(limit, costs[i])) {
        decisions[i] = targets[i].allowed(limit, allowed ? costs[i] : 0); // not charged if denied
      } else {
        decisions[i] = targets[i].cells().decide(limit, costs[i], nowMillis);
        targets[i].denied();
      }
    }
    for (int i = 0; allowed && store.hasOrigin() && i < distinctCount; i++) {
      distinct[i].sendIfHalfSpent();
    }
    return new BatchDecision(allowed, List.of(decisions));
  }

  /** A series of the batch, with its cells as they were read last. */
  private final class Target extends CellsCopy implements Comparable<Target> {

    private final Scope scope;
    private final String identifier;
    private final int hash;

    /** The effective count of a request without cost. */
    private long used;

    /** The table that has or would have the series. */
    private SeriesTable table;

    /** Null if the series does not exist; a batch that only peeks does not create it. */
    private @Nullable SeriesCounter counter;

    /** The cost of all requests of this series together, and the lowest of their limits. */
    private long charge;

    private long limit = Long.MAX_VALUE;

    @SuppressWarnings("NullAway") // read() sets table before it is used
    Target(LimitRequest request) {
      this.scope = request.scope();
      this.identifier = request.identifier();
      this.hash = 31 * scope.hashCode() + identifier.hashCode();
    }

    /** Finds the series, without reading it; false if there is none. */
    boolean find() {
      table = store.table(scope);
      counter = table.find(identifier);
      if (counter == null) {
        return false;
      }
      table.rebaseIfAhead(counter, nowMillis);
      return true;
    }

    /** Whether the count of the current cell leaves room, whatever the previous one weighs. */
    boolean seemsToAdmit(long requestLimit, long cost) {
      SeriesCounter found = Objects.requireNonNull(counter);
      return SlidingWindow.admits(found.own() + found.others() + cost, requestLimit);
    }

    /** Reads the cells, without waiting for a batch that holds them. */
    void read() {
      table = store.table(scope);
      while ((counter = table.find(identifier)) != null) {
        table.rebaseIfAhead(counter, nowMillis);
        if (counter.copyTo(this, nowMillis, scope.windowMillis())) {
          used = effective(nowMillis, scope.windowMillis());
          return;
        }
        table.drop(counter);
      }
      set(SlidingWindow.cellStart(nowMillis, scope.windowMillis()), 0, 0);
      used = 0;
    }

    Cells cells() {
      return cells(scope.windowMillis());
    }

    /** The count that a limit is compared with, for a request of this cost. */
    long effective(long cost) {
      return SlidingWindow.effective(used, 0, cost);
    }

    boolean admits(long requestLimit, long cost) {
      return SlidingWindow.admits(effective(cost), requestLimit);
    }

    Decision allowed(long requestLimit, long cost) {
      return Cells.allowed(requestLimit, effective(cost), startMillis() + scope.windowMillis());
    }

    /** The counter to refresh from the origin; adds the series if there is none. */
    SharedCounter shared() {
      if (counter == null) {
        counter = table.sharedCounter(identifier, nowMillis);
      }
      return (SharedCounter) counter;
    }

    /** Adds the series if there is none and the batch charges it. */
    void addIfCharged() {
      while (counter == null && charge > 0) {
        table = store.attachedTable(scope);
        counter = table.create(identifier, nowMillis);
      }
    }

    /**
     * Reads the cells and holds them until {@link #release}; false if the series was removed and
     * the batch does not charge it. One that was just added and has been evicted already is added
     * again, beyond the bound.
     */
    boolean hold() {
      while (counter != null) {
        if (counter.hold(this, nowMillis, scope.windowMillis())) {
          used = effective(nowMillis, scope.windowMillis());
          return true;
        }
        table.drop(counter);
        if (charge == 0) {
          return false;
        }
        do {
          table = store.attachedTable(scope);
          counter = table.createBeyondBound(identifier, nowMillis);
        } while (counter == null);
      }
      return true; // there is no series, and nothing to charge
    }

    /** Whether another thread has added the series that this batch did not find. */
    boolean wasAdded() {
      return counter == null && store.table(scope).find(identifier) != null;
    }

    /** Whether this node's share has no room for a request, by the cells that were read last. */
    boolean exceedsShare(LimitRequest request, long cost, Basis basis) {
      if (counter == null) {
        return false; // the first request of a series
      }
      int divisor = counter.shareDivisor();
      long unconfirmed = Share.unconfirmed(counter.own() + cost, counter.confirmedOwn(), divisor);
      long effective = effective(cost);
      return basis.requiresShare(unconfirmed, cost)
          && Share.isExceeded(effective, unconfirmed, divisor, request.limit());
    }

    void release() {
      if (counter != null) {
        counter.release(allowed ? charge : 0);
      }
    }

    /** Called after the batch was charged and all of its series were released, as it may fail. */
    void grown() {
      if (counter != null && charge > 0) {
        counter.grown(limit);
      }
    }

    /** Called after the batch was charged and all of its series were released. */
    void sendIfHalfSpent() {
      if (counter != null && charge > 0) {
        int divisor = counter.shareDivisor();
        long unconfirmed = Share.unconfirmed(counter.own(), counter.confirmedOwn(), divisor);
        if (Share.isHalfSpent(effective(charge), unconfirmed, divisor, limit)) {
          counter.halfSpent(nowMillis);
        }
      }
    }

    void denied() {
      if (counter != null) {
        table.enterStrictMode(identifier, counter, nowMillis);
      }
    }

    /**
     * The order of all batches. It depends on the name of the series alone, so that it is the same
     * after a removal. Most comparisons end with the hashes, which strings keep.
     */
    @Override
    public int compareTo(Target other) {
      if (hash != other.hash) {
        return Integer.compare(hash, other.hash);
      }
      int byScope = scope.compareTo(other.scope);
      return byScope != 0 ? byScope : identifier.compareTo(other.identifier);
    }
  }
}
