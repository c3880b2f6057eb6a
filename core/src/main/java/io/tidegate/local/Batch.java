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
 * If all could pass, the series are held in key order, judged again, and charged together.
 */
public final class Batch {

  private final LimitRequest[] requests;
  private final long nowMillis;

  /** The series of each request. */
  private final Target[] targets;

  /**
   * Every series once, in key order: all batches hold them in the same order, so none waits for one
   * that waits for it.
   */
  private final Target[] distinct;

  private final Decision[] decisions;

  private Batch(SeriesStore store, LimitRequest[] requests, long nowMillis) {
    this.requests = requests;
    this.nowMillis = nowMillis;
    this.targets = new Target[requests.length];
    this.decisions = new Decision[requests.length];
    for (int i = 0; i < requests.length; i++) {
      targets[i] = new Target(store, requests[i], nowMillis);
    }
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
    this.distinct = Arrays.copyOf(sorted, count);
  }

  /** Takes the costs of all requests if every limit has room, else of none. */
  public static BatchDecision decide(SeriesStore store, LimitRequest[] requests, long nowMillis) {
    Batch batch = new Batch(store, requests, nowMillis);
    for (Target target : batch.distinct) {
      target.look(nowMillis);
    }
    boolean allowed = batch.judge() && batch.takeAll();
    return new BatchDecision(allowed, batch.answer(allowed));
  }

  private boolean takeAll() {
    int held = 0;
    boolean allowed = false;
    try {
      for (; held < distinct.length; held++) {
        distinct[held].hold(nowMillis);
      }
      allowed = judge();
    } finally {
      for (int i = 0; i < held; i++) {
        distinct[i].release(allowed);
      }
    }
    return allowed;
  }

  /**
   * Judges each request, counting with its cost those of the passing requests before it on its
   * series.
   */
  private boolean judge() {
    boolean allPass = true;
    for (Target target : distinct) {
      target.charged = 0;
    }
    for (int i = 0; i < requests.length; i++) {
      Target target = targets[i].first;
      long cost = target.charged + requests[i].cost();
      decisions[i] = target.cells.decide(requests[i].limit(), cost, nowMillis);
      if (decisions[i].allowed()) {
        target.charged = cost;
      } else {
        allPass = false;
      }
    }
    return allPass;
  }

  private List<Decision> answer(boolean allowed) {
    if (!allowed) {
      for (int i = 0; i < requests.length; i++) {
        Target target = targets[i].first;
        if (decisions[i].allowed()) {
          decisions[i] =
              target.cells.decide(requests[i].limit(), 0, nowMillis); // nothing was taken
        } else {
          target.denied(nowMillis);
        }
      }
    }
    return List.of(decisions);
  }

  /** A series that the batch wants something of. */
  private static final class Target implements Comparable<Target> {

    private final SeriesStore store;
    private final Scope scope;
    private final String identifier;
    private SeriesTable table;
    private @Nullable SeriesCounter counter;
    private Cells cells;

    /** The target of the same series that stands for both. */
    private Target first = this;

    /** What the passing requests would take of this series together. */
    private long charged;

    Target(SeriesStore store, LimitRequest request, long nowMillis) {
      this.store = store;
      this.scope = request.scope();
      this.identifier = request.identifier();
      this.table = store.table(scope);
      this.cells = Cells.unseen(nowMillis, scope.windowMillis());
    }

    /** Reads the cells, waiting for nobody. */
    void look(long nowMillis) {
      while ((counter = table.find(identifier)) != null) {
        Cells seen = counter.cells(nowMillis, scope.windowMillis());
        if (seen != null) {
          cells = seen;
          return;
        }
        table.forget(identifier, counter);
      }
    }

    /**
     * Reads the cells and keeps them as they are until {@link #release}; adds the series if there
     * is none.
     */
    void hold(long nowMillis) {
      while (true) {
        if (counter == null) {
          counter = table.create(identifier, nowMillis);
        }
        if (counter == null) {
          table = store.attachedTable(scope);
          continue;
        }
        Cells seen = counter.hold(nowMillis, scope.windowMillis());
        if (seen != null) {
          cells = seen;
          return;
        }
        table.forget(identifier, counter);
        counter = null;
      }
    }

    void release(boolean allowed) {
      counter.release(allowed ? charged : 0);
    }

    void denied(long nowMillis) {
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
