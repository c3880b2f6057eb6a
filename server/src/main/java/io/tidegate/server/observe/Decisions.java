package io.tidegate.server.observe;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import io.tidegate.model.LimitRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts decisions by workspace, and never by namespace or identifier: those are the clients' to
 * choose, and each would become a metric.
 */
final class Decisions {

  /** Five time series each; with more, a scrape would take longer than it is worth. */
  private static final int MAX_WORKSPACES = 1_000;

  /** What all workspaces beyond that are counted as. */
  private static final String OTHER = "other";

  private final Registry registry;
  private final Map<String, Workspace> workspaces = new ConcurrentHashMap<>();
  private final Workspace internal = new Workspace();
  private final Workspace other;

  /** Guarded by this. */
  private int shown;

  /** Once it is true, a workspace that is not known is another. */
  private volatile boolean full;

  private final LongAdder degraded;
  private final LongAdder passedBatches;
  private final LongAdder deniedBatches;

  /** @param internal the workspace that is not counted */
  Decisions(Registry registry, String internal) {
    this.registry = registry;
    this.degraded = registry.counter(
        "tidegate_ratelimit_degraded_decisions_total",
        "Decisions that should have asked Redis first and could not");
    this.passedBatches = batches("passed");
    this.deniedBatches = batches("denied");
    this.other = show(OTHER);
    workspaces.put(OTHER, other); // a workspace of that name is one of them
    workspaces.put(internal, this.internal);
  }

  /** Allocates nothing, but for the first decision of a workspace. */
  void count(String workspace, Decision decision) {
    count(of(workspace), decision, decision.allowed());
  }

  void count(List<LimitRequest> requests, BatchDecision batch) {
    boolean counted = false;
    for (int i = 0; i < requests.size(); i++) {
      Workspace workspace = of(requests.get(i).scope().workspace());
      count(workspace, batch.decisions().get(i), batch.allowed());
      counted |= workspace != internal;
    }
    if (counted) {
      (batch.allowed() ? passedBatches : deniedBatches).increment();
    }
  }

  void countStrictMode(String workspace) {
    of(workspace).strictModes.increment();
  }

  private void count(Workspace workspace, Decision decision, boolean passed) {
    if (workspace == internal) {
      return;
    }
    (decision.source() == Source.LOCAL
            ? (passed ? workspace.localPassed : workspace.localDenied)
            : (passed ? workspace.originPassed : workspace.originDenied))
        .increment();
    if (decision.degraded()) {
      degraded.increment();
    }
  }

  private Workspace of(String name) {
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
    Workspace workspace = show(name);
    workspaces.put(name, workspace);
    full = ++shown == MAX_WORKSPACES;
    return workspace;
  }

  private Workspace show(String name) {
    Workspace workspace = new Workspace();
    show(workspace.localPassed, name, "local", "passed");
    show(workspace.localDenied, name, "local", "denied");
    show(workspace.originPassed, name, "origin", "passed");
    show(workspace.originDenied, name, "origin", "denied");
    registry.counter(
        workspace.strictModes,
        "tidegate_ratelimit_strict_mode_activations_total",
        "Denials that made a series ask Redis before each decision",
        "workspace_id",
        name);
    return workspace;
  }

  private void show(LongAdder adder, String workspace, String source, String outcome) {
    registry.counter(
        adder,
        "tidegate_ratelimit_decisions_total",
        "Decisions, those on each request of a batch among them",
        "workspace_id",
        workspace,
        "source",
        source,
        "outcome",
        outcome);
  }

  private LongAdder batches(String outcome) {
    return registry.counter(
        "tidegate_ratelimit_batches_total", "Batches decided on", "outcome", outcome);
  }

  private static final class Workspace {
    private final LongAdder localPassed = new LongAdder();
    private final LongAdder localDenied = new LongAdder();
    private final LongAdder originPassed = new LongAdder();
    private final LongAdder originDenied = new LongAdder();
    private final LongAdder strictModes = new LongAdder();
  }
}
