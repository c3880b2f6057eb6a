package io.tidegate.simulator.chaos;

import io.tidegate.model.Decision;
import io.tidegate.simulator.chaos.ObservedRequest.Answer;
import io.tidegate.simulator.chaos.ObservedRequest.Entry;

/** Checks each answer by itself: its count, its verdict, its cell and its marks. */
record AnswerCheck(RunContext run) {

  /** Checks an answer by the true effective count, which includes the request if admitted. */
  void check(Answer answer, long trueCount, NodeModel model) {
    long carriedBack = model.carriedBack(answer.cell());
    checkCount(answer, trueCount - answer.chargedOfSeries(), carriedBack);
    checkVerdict(answer, trueCount + carriedBack);
    checkStrict(answer, model);
    checkDegraded(answer);
    checkCell(answer, model);
  }

  private void checkCount(Answer answer, long trueBefore, long carriedBack) {
    long count = answer.countBefore();
    long least = answer.leastCount();
    long most = trueBefore + carriedBack;
    run.check(Guarantee.COUNTS_NEVER_EXCEED_TRUTH, count <= most, answer, ", admitted: ", most);
    run.check(Guarantee.COUNTS_ARE_KEPT, count >= least, answer, ", had received: ", least);
  }

  private void checkVerdict(Answer answer, long mostCount) {
    Decision decision = answer.decision();
    long limit = decision.limit();
    boolean allowed = decision.allowed();
    boolean withinLimit = decision.effectiveCount() <= limit && limit > 0;
    run.check(Guarantee.DECISION_IS_CONSISTENT, allowed == withinLimit, answer);
    boolean full = limit == 0 || mostCount + answer.entry().charge() > limit;
    run.check(Guarantee.NO_WRONG_DENIAL, allowed || full, answer, ", at most: ", mostCount);
  }

  private void checkStrict(Answer answer, NodeModel model) {
    Entry entry = answer.entry();
    boolean mustRead = answer.admitted()
        && entry.request().cost() > 0 // a peek admits nothing
        && entry.strict()
        && entry.incarnation() == model.incarnation(entry.series());
    Decision decision = answer.decision();
    boolean read = decision.degraded() || decision.source() == Decision.Source.ORIGIN;
    run.check(Guarantee.STRICT_MODE_READS, read || !mustRead, answer, " without a read");
  }

  /**
   * A decision is also degraded if its series is evicted while it is read, or if a clock that is
   * ahead for a moment lets it expire.
   */
  private void checkDegraded(Answer answer) {
    boolean excused = !answer.decision().degraded()
        || run.scenario.isCrowded()
        || run.excuses.readsMayFail(answer.node(), answer.entry().series(), run.now())
        || run.excuses.clockMovedSince(answer.node(), answer.request().nanos(), run.now());
    run.check(Guarantee.DEGRADED_ONLY_IF_ORIGIN_FAILS, excused, answer);
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
    boolean ofItsTime = start > now - window && start <= Math.max(latest, model.highestMillis());
    run.check(Guarantee.CLOCK_AHEAD_LOCKS_NOTHING, start <= latest + window, answer);
    run.check(Guarantee.CELL_OF_REQUEST_TIME, ofItsTime, answer);
  }
}
