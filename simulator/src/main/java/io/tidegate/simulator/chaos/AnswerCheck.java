package io.tidegate.simulator.chaos;

import io.tidegate.model.Decision;
import io.tidegate.simulator.chaos.ObservedRequest.Answer;
import io.tidegate.simulator.chaos.ObservedRequest.Entry;
import io.tidegate.simulator.world.Node;

/** Checks each answer by itself: its count, its verdict, its cell and its marks. */
record AnswerCheck(RunContext run) {

  /**
   * Checks an answer.
   *
   * @param trueCount true effective count, including the request if it was admitted
   */
  void check(Answer answer, long trueCount, NodeModel model) {
    long carriedBack = model.carriedBack(answer.cell());
    checkCount(answer, trueCount - answer.chargedOfSeries(), carriedBack);
    checkVerdict(answer, trueCount + carriedBack);
    checkStrict(answer, model);
    checkDegraded(answer);
    checkCell(answer, model);
  }

  private void checkCount(Answer answer, long trueBefore, long carriedBack) {
    long before = answer.countBefore();
    if (before > trueBefore + carriedBack) {
      run.violated(Guarantee.COUNTS_NEVER_EXCEED_TRUTH, answer + ", admitted: " + trueBefore);
    }
    if (before < answer.leastCount()) {
      String received = ", admitted or received: " + answer.leastCount();
      run.violated(Guarantee.COUNTS_ARE_KEPT, answer + received);
    }
  }

  private void checkVerdict(Answer answer, long mostCount) {
    Decision decision = answer.decision();
    boolean withinLimit = decision.effectiveCount() <= decision.limit() && decision.limit() > 0;
    if (decision.allowed() != withinLimit) {
      run.violated(Guarantee.DECISION_IS_CONSISTENT, answer.toString());
    }
    if (!decision.allowed()
        && mostCount + answer.entry().charge() <= decision.limit()
        && decision.limit() != 0) {
      run.violated(Guarantee.NO_WRONG_DENIAL, answer + ", admitted at most: " + mostCount);
    }
  }

  private void checkStrict(Answer answer, NodeModel model) {
    Entry entry = answer.entry();
    boolean mustRead = answer.admitted()
        && entry.request().cost() > 0 // a peek admits nothing
        && entry.strict()
        && entry.incarnation() == model.incarnation(entry.series());
    Decision decision = answer.decision();
    if (mustRead && !decision.degraded() && decision.source() != Decision.Source.ORIGIN) {
      run.violated(Guarantee.STRICT_MODE_READS, answer + " without a read");
    }
  }

  /**
   * A decision is also degraded if its series is evicted while it is read, or if a clock that is
   * ahead for a moment lets it expire.
   */
  private void checkDegraded(Answer answer) {
    Node node = answer.node();
    if (answer.decision().degraded()
        && !run.scenario().isCrowded()
        && !run.excuses().readsMayFail(node, answer.entry().series(), run.now())
        && !run.excuses().clockMovedSince(node, answer.request().nanos(), run.now())) {
      int part = node.region().origin().part(answer.entry().series());
      run.violated(Guarantee.DEGRADED_ONLY_IF_ORIGIN_FAILS, answer + ", of part " + part);
    }
  }

  /**
   * A cell that begins more than a window after the time of the request must not be used: a clock
   * that was ahead for a moment would lock the series. Within a window, the request is decided as
   * if at the start of the cell.
   */
  private void checkCell(Answer answer, NodeModel model) {
    long start = answer.cell().startMillis();
    long now = answer.request().nowMillis();
    long latest = Math.max(now, answer.node().millis()); // the clock may have been set in a wait
    long window = answer.entry().request().scope().windowMillis();
    if (start > latest + window) {
      run.violated(Guarantee.CLOCK_AHEAD_LOCKS_NOTHING, answer + ", cell begins at " + start);
    }
    if (start <= now - window || start > Math.max(latest, model.highestMillis())) {
      run.violated(Guarantee.CELL_OF_REQUEST_TIME, answer + ", cell begins at " + start);
    }
  }
}
