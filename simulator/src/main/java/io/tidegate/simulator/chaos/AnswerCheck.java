package io.tidegate.simulator.chaos;

import io.tidegate.model.Decision;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;

/** Checks each answer by itself: its count, its verdict, its cell and its marks. */
final class AnswerCheck {

  private final Scenario scenario;
  private final Timeline timeline;
  private final Excuses excuses;
  private final Violations violations;

  AnswerCheck(Scenario scenario, Timeline timeline, Excuses excuses, Violations violations) {
    this.scenario = scenario;
    this.timeline = timeline;
    this.excuses = excuses;
    this.violations = violations;
  }

  /**
   * Checks an answer.
   *
   * @param trueCount true effective count, including the request if it was admitted
   */
  void check(ObservedRequest.Answer answer, long trueCount, NodeModel model) {
    long carriedBack = model.carriedBack(answer.cell());
    checkCount(answer, trueCount, carriedBack);
    checkVerdict(answer, trueCount + carriedBack);
    checkStrict(answer, model);
    checkDegraded(answer);
    checkCell(answer, model);
  }

  private void checkCount(ObservedRequest.Answer answer, long trueCount, long carriedBack) {
    long trueBefore = trueCount - answer.chargedOfSeries();
    violations.require(
        answer.countBefore() <= trueBefore + carriedBack,
        Guarantee.COUNTS_NEVER_EXCEED_TRUTH,
        "%s counts %d of %s, of which %d were admitted",
        answer.request().node(),
        answer.countBefore(),
        answer.entry().series(),
        trueBefore);
    violations.require(
        answer.countBefore() >= answer.leastCount(),
        Guarantee.COUNTS_ARE_KEPT,
        "%s counts %d of %s, and admitted or received %d",
        answer.request().node(),
        answer.countBefore(),
        answer.entry().series(),
        answer.leastCount());
  }

  private void checkVerdict(ObservedRequest.Answer answer, long mostCount) {
    Decision decision = answer.decision();
    boolean withinLimit = decision.effectiveCount() <= decision.limit() && decision.limit() > 0;
    violations.require(
        decision.allowed() == withinLimit, Guarantee.DECISION_IS_CONSISTENT, "%s", decision);
    violations.require(
        decision.allowed()
            || mostCount + answer.entry().charge() > decision.limit()
            || decision.limit() == 0,
        Guarantee.NO_WRONG_DENIAL,
        "%s denied %s, where at most %d tokens were admitted",
        answer.request().node(),
        answer.request(),
        mostCount);
  }

  private void checkStrict(ObservedRequest.Answer answer, NodeModel model) {
    ObservedRequest.Entry entry = answer.entry();
    boolean mustRead = answer.admitted()
        && entry.request().cost() > 0 // a peek admits nothing
        && entry.strict()
        && entry.incarnation() == model.incarnation(entry.series());
    violations.require(
        !mustRead
            || answer.decision().degraded()
            || answer.decision().source() == Decision.Source.ORIGIN,
        Guarantee.STRICT_MODE_READS,
        "%s admitted %s without a read",
        answer.request().node(),
        answer.request());
  }

  /**
   * A decision is also degraded if its series is evicted while it is read, or if a clock that is
   * ahead for a moment lets it expire.
   */
  private void checkDegraded(ObservedRequest.Answer answer) {
    Node node = answer.request().node();
    long now = timeline.nowNanos();
    violations.require(
        !answer.decision().degraded()
            || scenario.isCrowded()
            || excuses.readsMayFail(node, answer.entry().series(), now)
            || excuses.clockMovedSince(node, answer.request().nanos(), now),
        Guarantee.DEGRADED_ONLY_IF_ORIGIN_FAILS,
        "%s answered %s degraded, of part %d",
        node,
        answer.request(),
        node.region().origin().part(answer.entry().series()));
  }

  /**
   * A cell that begins more than a window after the time of the request must not be used: a clock
   * that was ahead for a moment would lock the series. Within a window, the request is decided as
   * if at the start of the cell.
   */
  private void checkCell(ObservedRequest.Answer answer, NodeModel model) {
    Node node = answer.request().node();
    long start = answer.startMillis();
    long now = answer.request().nowMillis();
    long latest = Math.max(now, node.millis()); // the clock may have been set during a wait
    long window = answer.entry().request().scope().windowMillis();
    violations.require(
        start <= latest + window,
        Guarantee.CLOCK_AHEAD_LOCKS_NOTHING,
        "%s decided %s in a cell that begins %d ms later, with a window of %d ms",
        node,
        answer.request(),
        start - latest,
        window);
    violations.require(
        start > now - window && start <= Math.max(latest, model.highestMillis()),
        Guarantee.CELL_OF_REQUEST_TIME,
        "%s decided %s at %d in the cell that begins at %d",
        node,
        answer.request(),
        now,
        start);
  }
}
