package io.tidegate.local;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision on several requests of which all are taken or none.
 *
 * <p>Nothing is added on trial. A look at all series comes first, and a hopeless batch ends there.
 * If all could pass, the series are held in key order, judged again, and charged together. Series
 * are added before any is held, so that nobody waits for that.
 */
public final class Batch {

  private final SeriesStore store;
  private final LimitRequest[] requests;
  private final long nowMillis;

  /** The series of each request. */
  private final Target[] targets;

  /** The cost that each request is judged by: its own, and those before it on the same series. */
  private final long[] costs;

  /**
   * Every series once, in key order: all batches hold them in the same order, so none waits for one
   * that waits for it.
   */
  private final Target[] distinct;

  private boolean allowed;

  /** The counters that {@link #unsure} met; none if it had no need to. */
  private SharedCounter[] met = {};

  /** A batch to decide on at this time. */
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
   * Whether the origin has to be asked before {@link #decide}, for each request: for none if a
   * limit has no room already, by what is known here.
   */
  public boolean[] unsure() {
    boolean[] unsure = new boolean[requests.length];
    look();
    if (judge()) {
      met = new SharedCounter[requests.length];
      for (int i = 0; i < requests.length; i++) {
        SharedCounter counter = targets[i].shared();
        met[i] = counter;
        long effective = targets[i].cells.effective(costs[i], nowMillis);
        long most = requests[i].cost() == 0
            ? counter.mostToLookAt(requests[i].limit(), nowMillis)
            : counter.mostWithoutAsking(requests[i].limit(), nowMillis);
        unsure[i] = effective > most;
        if (!unsure[i] && !counter.isSure(nowMillis)) {
          store.listener().refreshWanted(counter, nowMillis);
        }
      }
    }
    return unsure;
  }

  /**
   * Whether a series was evicted since {@link #unsure} found it: then it is decided on without what
   * was known.
   */
  public boolean hasLost(int index) {
    return index < met.length && met[index].isGone();
  }

  public LimitRequest request(int index) {
    return requests[index];
  }

  /** Takes the costs of all requests if every limit has room, else of none. */
  public BatchDecision decide() {
    do {
      look();
    } while (judge() && !takeAll());
    return answer();
  }

  private void look() {
    for (Target target : distinct) {
      target.look();
    }
  }

  /** Whether every limit has room, by the cells that were read last. */
  private boolean judge() {
    for (int i = 0; i < requests.length; i++) {
      if (!targets[i].cells.admit(requests[i].limit(), costs[i], nowMillis)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Judges again with all series held, and charges them if all have room; false if one came or went
   * meanwhile.
   */
  private boolean takeAll() {
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
        if (target.hasTurnedUp()) {
          return false;
        }
      }
      allowed = judge();
      return true;
    } finally {
      for (int i = 0; i < held; i++) {
        distinct[i].release();
      }
    }
  }

  private BatchDecision answer() {
    Decision[] decisions = new Decision[requests.length];
    for (int i = 0; i < requests.length; i++) {
      long limit = requests[i].limit();
      boolean passes = allowed || targets[i].cells.admit(limit, costs[i], nowMillis);
      long cost = passes && !allowed ? 0 : costs[i]; // of what passes in vain nothing was taken
      decisions[i] = targets[i].cells.decide(limit, cost, nowMillis);
      if (!passes) {
        targets[i].denied();
      }
    }
    return new BatchDecision(allowed, List.of(decisions));
  }

  /** A series that the batch wants something of. */
  private final class Target implements Comparable<Target> {

    private final Scope scope;
    private final String identifier;

    /** Where the series is or would be, and its cells: as they were at the last look. */
    private SeriesTable table;

    private Cells cells;

    /** Null if nobody has counted anything, and the batch only looks: a look leaves no trace. */
    private @Nullable SeriesCounter counter;

    /** The target of the same series that stands for both. */
    private Target first = this;

    /** What all requests together take of this series, and the lowest of their limits. */
    private long charge;

    private long limit = Long.MAX_VALUE;

    Target(LimitRequest request) {
      this.scope = request.scope();
      this.identifier = request.identifier();
    }

    /** Reads the cells, without waiting for a batch that holds them. */
    void look() {
      table = store.table(scope);
      while ((counter = table.find(identifier)) != null) {
        table.rebaseIfAhead(counter, nowMillis);
        Cells seen = counter.cells(nowMillis, scope.windowMillis());
        if (seen != null) {
          cells = seen;
          return;
        }
        table.forget(identifier, counter);
      }
      cells = Cells.unseen(nowMillis, scope.windowMillis());
    }

    /** The counter to ask the origin about; adds the series if there is none. */
    SharedCounter shared() {
      if (counter == null) {
        counter = table.sharedCounter(identifier, nowMillis);
      }
      return (SharedCounter) counter;
    }

    /** Adds the series if there is none and something will be charged to it. */
    void addIfCharged() {
      while (counter == null && charge > 0) {
        table = store.attachedTable(scope);
        counter = table.create(identifier, nowMillis);
      }
    }

    /**
     * Reads the cells and keeps them as they are until {@link #release}; false if the series is
     * gone and was only looked at. One that was just added and had to make room already is added
     * again, and nobody has to for it.
     */
    boolean hold() {
      while (counter != null) {
        Cells seen = counter.hold(nowMillis, scope.windowMillis());
        if (seen != null) {
          cells = seen;
          return true;
        }
        table.forget(identifier, counter);
        if (charge == 0) {
          return false;
        }
        do {
          table = store.attachedTable(scope);
          counter = table.createBeyondBound(identifier, nowMillis);
        } while (counter == null);
      }
      return true; // nothing is known, and nothing will be taken
    }

    /** Whether somebody has begun to count what this batch took for unseen. */
    boolean hasTurnedUp() {
      return counter == null && store.table(scope).find(identifier) != null;
    }

    void release() {
      if (counter != null) {
        counter.release(allowed ? charge : 0, limit);
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
