package io.tidegate.micrometer;

import io.tidegate.model.Decision;
import io.tidegate.model.Decision.Source;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the decisions in one namespace: by source and outcome, and the degraded ones. */
final class DecisionCounters {

  private final LongAdder localAllowed;
  private final LongAdder localDenied;
  private final LongAdder originAllowed;
  private final LongAdder originDenied;
  private final LongAdder degraded;

  DecisionCounters(Meters meters, String workspace, String namespace) {
    this.localAllowed = decisions(meters, workspace, namespace, "local", "allowed");
    this.localDenied = decisions(meters, workspace, namespace, "local", "denied");
    this.originAllowed = decisions(meters, workspace, namespace, "origin", "allowed");
    this.originDenied = decisions(meters, workspace, namespace, "origin", "denied");
    this.degraded = meters.counter(
        "ratelimit.degraded.decisions",
        "Decisions from memory because the origin could not be read first",
        "workspace.id",
        workspace,
        "namespace",
        namespace);
  }

  private static LongAdder decisions(
      Meters meters, String workspace, String namespace, String source, String outcome) {
    return meters.counter(
        "ratelimit.decisions",
        "Decisions, with one for each request of a batch",
        "workspace.id",
        workspace,
        "namespace",
        namespace,
        "source",
        source,
        "outcome",
        outcome);
  }

  /**
   * Counts a decision.
   *
   * @param charged whether the request was charged; in a denied batch none is
   */
  void count(Decision decision, boolean charged) {
    (decision.source() == Source.LOCAL
            ? (charged ? localAllowed : localDenied)
            : (charged ? originAllowed : originDenied))
        .increment();
    if (decision.degraded()) {
      degraded.increment();
    }
  }
}
