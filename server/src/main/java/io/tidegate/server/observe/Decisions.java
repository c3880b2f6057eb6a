package io.tidegate.server.observe;

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
 * Decisions by workspace and namespace, and never by identifier.
 *
 * <p>Clients choose the names, and each name becomes a time series, so all numbers are bounded.
 * Workspaces and namespaces beyond a bound are counted together, as "other".
 */
final class Decisions {

  /** One label set each, so that a scrape stays below some ten thousand lines. */
  private static final int MAX_WORKSPACES = 1_000;

  /** Of all workspaces together; five time series each. */
  private static final int MAX_NAMESPACES = 1_000;

  /** So that one workspace leaves room for others. */
  private static final int MAX_NAMESPACES_PER_WORKSPACE = 100;

  /** Longer names would let clients make a scrape several times as long. */
  private static final int MAX_NAME_LENGTH = 128;

  private static final String OTHER = "other";

  private final Registry registry;
  private final Map<String, Workspace> workspaces = new ConcurrentHashMap<>();
  private final AtomicInteger namespaces = new AtomicInteger();
  private final Workspace internal;
  private final Workspace other;

  /** Once true, an unknown workspace is counted as another. Written under this object's lock. */
  private volatile boolean full;

  private final LongAdder passedBatches;
  private final LongAdder deniedBatches;

  /** @param internal the workspace that is not counted */
  Decisions(Registry registry, String internal) {
    this.registry = registry;
    this.passedBatches = batches("passed");
    this.deniedBatches = batches("denied");
    this.internal = new Workspace(internal, new LongAdder(), 0);
    this.other = new Workspace(OTHER, strictModes(OTHER), 0);
    this.other.other(); // shown before the first decision, so that every metric always exists
    workspaces.put(OTHER, other);
    workspaces.put(internal, this.internal);
  }

  /** Allocates nothing, except for the first decision of a workspace or namespace. */
  void count(Scope scope, Decision decision) {
    Workspace workspace = workspace(scope.workspace());
    if (workspace != internal) {
      workspace.namespace(scope.namespace()).count(decision, decision.allowed());
    }
  }

  void count(List<LimitRequest> requests, BatchDecision batch) {
    boolean counted = false;
    for (int i = 0; i < requests.size(); i++) {
      Scope scope = requests.get(i).scope();
      Workspace workspace = workspace(scope.workspace());
      if (workspace != internal) {
        workspace.namespace(scope.namespace()).count(batch.decisions().get(i), batch.allowed());
        counted = true;
      }
    }
    if (counted) {
      (batch.allowed() ? passedBatches : deniedBatches).increment();
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
    full = workspaces.size() == MAX_WORKSPACES + 2; // and the internal one, and "other"
    return workspace;
  }

  private LongAdder strictModes(String workspace) {
    return registry.counter(
        "tidegate_ratelimit_strict_mode_activations_total",
        "Denials after which a series reads Redis before each decision",
        "workspace_id",
        workspace);
  }

  private LongAdder batches(String outcome) {
    return registry.counter(
        "tidegate_ratelimit_batches_total", "Decisions on batches", "outcome", outcome);
  }

  /** The counters of one workspace. */
  private final class Workspace {

    private final String name;
    private final LongAdder strictModes;
    private final Map<String, DecisionCounters> byNamespace = new ConcurrentHashMap<>();

    /** How many more namespaces may be counted by name. Written under this object's lock. */
    private volatile int room;

    private volatile @Nullable DecisionCounters other;

    Workspace(String name, LongAdder strictModes, int room) {
      this.name = name;
      this.strictModes = strictModes;
      this.room = room;
    }

    DecisionCounters namespace(String namespace) {
      DecisionCounters counters = byNamespace.get(namespace);
      if (counters != null) {
        return counters;
      }
      return room == 0 || namespace.length() > MAX_NAME_LENGTH ? other() : add(namespace);
    }

    private synchronized DecisionCounters add(String namespace) {
      DecisionCounters known = byNamespace.get(namespace);
      if (known != null) {
        return known;
      }
      if (namespace.equals(OTHER) || room == 0) {
        return other();
      }
      if (namespaces.incrementAndGet() > MAX_NAMESPACES) {
        room = 0;
        return other();
      }
      room--;
      DecisionCounters counters = new DecisionCounters(registry, name, namespace);
      byNamespace.put(namespace, counters);
      return counters;
    }

    private DecisionCounters other() {
      DecisionCounters known = other;
      return known != null ? known : addOther();
    }

    private synchronized DecisionCounters addOther() {
      if (other == null) {
        other = new DecisionCounters(registry, name, OTHER);
      }
      return other;
    }
  }
}
