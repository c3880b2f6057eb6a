package io.tidegate.simulator.chaos;

import io.tidegate.model.Decision;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.chaos.ObservedRequest.Answer;
import io.tidegate.simulator.world.Node;

/** Checks that a node does not admit more than its share before the origin has confirmed it. */
record ShareCheck(RunContext run) {

  /** Checks an admission without a read, before its cost is counted. */
  void check(Answer answer) {
    Decision decision = answer.decision();
    long cost = answer.entry().request().cost();
    boolean byShare = answer.admitted()
        && cost > 0
        && decision.source() == Decision.Source.LOCAL
        && !decision.degraded();
    int nodes = answer.node().limiter().stats().liveNodes();
    if (byShare && nodes > 1 && knowsWhatIsConfirmed()) {
      long unconfirmed = unconfirmed(answer.node(), answer.cell()) + cost;
      long withoutOwn = decision.effectiveCount() - unconfirmed;
      boolean kept = unconfirmed * 2 * nodes <= decision.limit() - withoutOwn;
      run.check(Guarantee.SHARE_IS_KEPT, kept, answer, " with ", unconfirmed, " unconfirmed");
    }
  }

  /**
   * An evicted counter, a moved clock and a loss in the origin leave other counts in the origin.
   */
  private boolean knowsWhatIsConfirmed() {
    return !run.scenario.isCrowded()
        && !run.scenario.clocksDiffer(Long.MAX_VALUE)
        && !run.scenario.had(FaultTrait.LOSES_ORIGIN_COUNTS, run.now());
  }

  /** At most what the node itself takes for unconfirmed: answers may be on their way. */
  private long unconfirmed(Node node, WindowCell cell) {
    return run.truth.ofNode(cell, node) - MessageCheck.stored(node, cell);
  }
}
