package io.tidegate.server.observe;

import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import java.util.concurrent.atomic.LongAdder;

/** Decisions of one namespace of one workspace: by source and outcome, and the degraded ones. */
final class DecisionCounters {

  private final LongAdder localPassed;
  private final LongAdder localDenied;
  private final LongAdder originPassed;
  private final LongAdder originDenied;
  private final LongAdder degraded;

  DecisionCounters(Registry registry, String workspace, String namespace) {
    this.localPassed = decisions(registry, workspace, namespace, "local", "passed");
    this.localDenied = decisions(registry, workspace, namespace, "local", "denied");
    this.originPassed = decisions(registry, workspace, namespace, "origin", "passed");
    this.originDenied = decisions(registry, workspace, namespace, "origin", "denied");
    this.degraded = registry.counter(
        "tidegate_ratelimit_degraded_decisions_total",
        "Decisions made from memory because Redis could not be read first",
        "workspace_id",
        workspace,
        "namespace",
        namespace);
  }

  private static LongAdder decisions(
      Registry registry, String workspace, String namespace, String source, String outcome) {
    return registry.counter(
        "tidegate_ratelimit_decisions_total",
        "Decisions, including one for each request of a batch",
        "workspace_id",
        workspace,
        "namespace",
        namespace,
        "source",
        source,
        "outcome",
        outcome);
  }

  /** @param passed whether the request was charged, which in a denied batch none is */
  void count(Decision decision, boolean passed) {
    (decision.source() == Source.LOCAL
            ? (passed ? localPassed : localDenied)
            : (passed ? originPassed : originDenied))
        .increment();
    if (decision.degraded()) {
      degraded.increment();
    }
  }
}
