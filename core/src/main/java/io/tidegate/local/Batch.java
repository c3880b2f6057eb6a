package io.tidegate.local;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The decision on several requests of which all are admitted or none.
 *
 * <p>Nothing is charged tentatively. The batch reads all series first, and ends there if a limit
 * has no room. Otherwise it holds the series in key order, checks them again, and charges them
 * together. Missing series are added before any is held, so that no request waits for an addition.
 * Used by one thread.
 */
public final class Batch {

  private final SeriesStore store;
  private final LimitRequest[] requests;
  private final long nowMillis;

  /** The series of each request. */
  private final Target[] targets;

  /** The cost that each request is checked with: its own, and those before it on the series. */
  private final long[] costs;

  /**
   * Every series once, in key order: all batches hold series in the same order, so two batches
   * never wait for each other.
   */
  private final Target[] distinct;

  private boolean allowed;

  /** Whether the last try found room in all limits, but not in this node's share of one. */
  private boolean unsure;

  /** The requests for which the last try found room in the limit, but not in the share. */
  private boolean[] beyondShare = {};

  /** The counters of the requests, if {@link #unsure} needed them. */
  private SharedCounter[] checked = {};

  /** A batch to be decided on at this time. */
  public Batch(SeriesStore store, LimitRequest[] requests, long nowMillis) {
    this.store = store;
    this.requests = requests;
    this.nowMillis = nowMillis;
    this.targets = new Target[requests.length];
    this.costs = new long[requests.length];
    for (int i = 0; i < requests.length; i++) {
      targets[i] = new Target(requests[i]);
    }
    this.distinct = distinct(targets);
    for (int i = 0; i < requests.length; i++) {
      targets[i] = targets[i].first;
      targets[i].charge += requests[i].cost();
      targets[i].limit = Math.min(targets[i].limit, requests[i].limit());
      costs[i] = targets[i].charge;
    }
  }

  private static Target[] distinct(Target[] targets) {
    Target[] sorted = targets.clone();
    Arrays.sort(sorted);
    int count = 0;
    for (Target target : sorted) {
      if (count > 0 && sorted[count - 1].compareTo(target) == 0) {
        target.first = sorted[count - 1];
      } else {
        sorted[count++] = target;
      }
    }
    return Arrays.copyOf(sorted, count);
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
        long effective = targets[i].cells.effective(costs[i], nowMillis);
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
    BatchDecision decision = decideAfterReads(request -> false);
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
    unsure = false; // of an earlier try
    do {
      read();
    } while (hasRoom() && !takeAll(mustKeepShare));
    return unsure ? null : answer();
  }

  private void read() {
    for (Target target : distinct) {
      target.read();
    }
  }

  /** Whether every limit has room by the cells that were read last. */
  private boolean hasRoom() {
    for (int i = 0; i < requests.length; i++) {
      if (!targets[i].cells.admit(requests[i].limit(), costs[i], nowMillis)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Checks again with all series held, and charges them if all have room; false if a series was
   * added or removed meanwhile.
   */
  private boolean takeAll(IntPredicate mustKeepShare) {
    for (Target target : distinct) {
      target.addIfCharged();
    }
    int held = 0;
    try {
      for (; held < distinct.length; held++) {
        if (!distinct[held].hold()) {
          return false;
        }
      }
      for (Target target : distinct) {
        if (target.wasAdded()) {
          return false;
        }
      }
      boolean room = hasRoom();
      unsure = room && exceedsShare(mustKeepShare);
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
      boolean passes = allowed || targets[i].cells.admit(limit, costs[i], nowMillis);
      long cost =
          passes && !allowed ? 0 : costs[i]; // a request that would pass by itself was not charged
      decisions[i] = targets[i].cells.decide(limit, cost, nowMillis);
      if (!passes) {
        targets[i].denied();
      }
    }
    if (allowed) {
      for (Target target : distinct) {
        target.sendIfHalfSpent();
      }
    }
    return new BatchDecision(allowed, List.of(decisions));
  }

  /** A series of the batch. */
  private final class Target implements Comparable<Target> {

    private final Scope scope;
    private final String identifier;

    /** The table that has or would have the series, and its cells, as they were read last. */
    private SeriesTable table;

    private Cells cells;

    /** Null if the series does not exist; a batch that only peeks does not create it. */
    private @Nullable SeriesCounter counter;

    /** The first target of the same series, which stands for all of them. */
    private Target first = this;

    /** The cost of all requests of this series together, and the lowest of their limits. */
    private long charge;

    private long limit = Long.MAX_VALUE;

    @SuppressWarnings("NullAway") // read() sets table and cells before they are used
    Target(LimitRequest request) {
      this.scope = request.scope();
      this.identifier = request.identifier();
    }

    /** Reads the cells, without waiting for a batch that holds them. */
    void read() {
      table = store.table(scope);
      while ((counter = table.find(identifier)) != null) {
        table.rebaseIfAhead(counter, nowMillis);
        Cells seen = counter.cells(nowMillis, scope.windowMillis());
        if (seen != null) {
          cells = seen;
          return;
        }
        table.drop(identifier, counter);
      }
      cells = Cells.unseen(nowMillis, scope.windowMillis());
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
        Cells seen = counter.hold(nowMillis, scope.windowMillis());
        if (seen != null) {
          cells = seen;
          return true;
        }
        table.drop(identifier, counter);
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
      long effective = cells.effective(cost, nowMillis);
      return basis.requiresShare(unconfirmed, cost)
          && Share.isExceeded(effective, unconfirmed, divisor, request.limit());
    }

    void release() {
      if (counter != null) {
        counter.release(allowed ? charge : 0, limit);
      }
    }

    /** Called after the batch was charged and all of its series were released. */
    void sendIfHalfSpent() {
      if (counter != null && charge > 0) {
        long effective = cells.effective(charge, nowMillis);
        int divisor = counter.shareDivisor();
        long unconfirmed = Share.unconfirmed(counter.own(), counter.confirmedOwn(), divisor);
        if (Share.isHalfSpent(effective, unconfirmed, divisor, limit)) {
          counter.halfSpent(nowMillis);
        }
      }
    }

    void denied() {
      if (counter != null) {
        table.enterStrictMode(identifier, counter, nowMillis);
      }
    }

    @Override
    public int compareTo(Target other) {
      int byScope = scope.compareTo(other.scope);
      return byScope != 0 ? byScope : identifier.compareTo(other.identifier);
    }
  }
}
