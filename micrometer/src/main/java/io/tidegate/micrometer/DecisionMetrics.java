package io.tidegate.micrometer;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Meters of decisions by workspace and namespace, never by identifier.
 *
 * <p>Clients choose the names, and each name becomes a time series, so their number is bounded.
 * Workspaces and namespaces beyond a bound are counted together as "other". Any thread may count;
 * only the first decision of a workspace or namespace takes a lock.
 */
final class DecisionMetrics {

  /** One time series each; with the namespaces, a scrape stays below ten thousand lines. */
  private static final int MAX_WORKSPACES = 1_000;

  /** In all workspaces together; five time series each. */
  private static final int MAX_NAMESPACES = 1_000;

  /** Keeps one workspace from using up {@link #MAX_NAMESPACES}. */
  private static final int MAX_NAMESPACES_PER_WORKSPACE = 100;

  /** Bounds the size of a scrape: longer names are counted as "other". */
  private static final int MAX_NAME_LENGTH = 128;

  private static final String OTHER = "other";

  private final Meters meters;
  private final Map<String, Workspace> workspaces = new ConcurrentHashMap<>();
  private final AtomicInteger namespaces = new AtomicInteger();

  /** Stands for every workspace that is not counted. */
  private final Workspace excluded = new Workspace("", new LongAdder(), 0);

  private final Workspace other;

  /** Workspaces that are counted, apart from "other". Guarded by this. */
  private int countedWorkspaces;

  /** Whether new workspaces are counted as "other". Written under this object's lock. */
  private volatile boolean full;

  private final LongAdder allowedBatches;
  private final LongAdder deniedBatches;

  DecisionMetrics(Meters meters) {
    this.meters = meters;
    this.allowedBatches = batches("allowed");
    this.deniedBatches = batches("denied");
    this.other = new Workspace(OTHER, strictModes(OTHER), 0);
    this.other.other(); // so that every metric exists before the first decision
    workspaces.put(OTHER, other);
  }

  /** Stops to count the decisions of a workspace. To be called before its first decision. */
  void exclude(String workspace) {
    workspaces.put(workspace, excluded);
  }

  /** Allocates nothing, except for the first decision of a workspace or namespace. */
  void count(Scope scope, Decision decision) {
    Workspace workspace = workspace(scope.workspace());
    if (workspace != excluded) {
      workspace.namespace(scope.namespace()).count(decision, decision.allowed());
    }
  }

  void count(List<LimitRequest> requests, BatchDecision batch) {
    boolean counted = false;
    for (int i = 0; i < requests.size(); i++) {
      Scope scope = requests.get(i).scope();
      Workspace workspace = workspace(scope.workspace());
      if (workspace != excluded) {
        workspace.namespace(scope.namespace()).count(batch.decisions().get(i), batch.allowed());
        counted = true;
      }
    }
    if (counted) {
      (batch.allowed() ? allowedBatches : deniedBatches).increment();
    }
  }

  void countStrictMode(String workspace) {
    workspace(workspace).strictModes.increment();
  }

  private Workspace workspace(String name) {
    Workspace workspace = workspaces.get(name);
    if (workspace != null) {
      return workspace;
    }
    return full ? other : add(name);
  }

  private synchronized Workspace add(String name) {
    Workspace known = workspaces.get(name);
    if (known != null || full) {
      return known != null ? known : other;
    }
    Workspace workspace = new Workspace(name, strictModes(name), MAX_NAMESPACES_PER_WORKSPACE);
    workspaces.put(name, workspace);
    full = ++countedWorkspaces == MAX_WORKSPACES;
    return workspace;
  }

  private LongAdder strictModes(String workspace) {
    return meters.counter(
        "ratelimit.strict.mode.activations",
        "Times that a denial made a series read the origin before each decision",
        "workspace.id",
        workspace);
  }

  private LongAdder batches(String outcome) {
    return meters.counter("ratelimit.batches", "Decisions on whole batches", "outcome", outcome);
  }

  /** The counters of one workspace. */
  private final class Workspace {

    private final String name;
    private final LongAdder strictModes;
    private final Map<String, DecisionCounters> byNamespace = new ConcurrentHashMap<>();

    /** Number of namespaces that may still be added. Written under this object's lock. */
    private volatile int remaining;

    private volatile @Nullable DecisionCounters other;

    Workspace(String name, LongAdder strictModes, int remaining) {
      this.name = name;
      this.strictModes = strictModes;
      this.remaining = remaining;
    }

    DecisionCounters namespace(String namespace) {
      DecisionCounters counters = byNamespace.get(namespace);
      if (counters != null) {
        return counters;
      }
      return remaining == 0 || namespace.length() > MAX_NAME_LENGTH ? other() : add(namespace);
    }

    private synchronized DecisionCounters add(String namespace) {
      DecisionCounters known = byNamespace.get(namespace);
      if (known != null) {
        return known;
      }
      if (namespace.equals(OTHER) || remaining == 0) {
        return other();
      }
      if (namespaces.incrementAndGet() > MAX_NAMESPACES) {
        remaining = 0;
        return other();
      }
      remaining--;
      DecisionCounters counters = new DecisionCounters(meters, name, namespace);
      byNamespace.put(namespace, counters);
      return counters;
    }

    private DecisionCounters other() {
      DecisionCounters known = other;
      return known != null ? known : addOther();
    }

    private synchronized DecisionCounters addOther() {
      if (other == null) {
        other = new DecisionCounters(meters, name, OTHER);
      }
      return other;
    }
  }
}
