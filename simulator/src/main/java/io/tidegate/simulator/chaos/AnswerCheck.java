package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;

/**
 * What holds for each answer, whatever the counts are: it is marked as degraded only where reads
 * can fail, and it belongs to the cell of its time.
 */
final class AnswerCheck {

  private final Scenario plan;
  private final Timeline timeline;
  private final Excuses excuses;
  private final Violations violations;

  AnswerCheck(Scenario plan, Timeline timeline, Excuses excuses, Violations violations) {
    this.plan = plan;
    this.timeline = timeline;
    this.excuses = excuses;
    this.violations = violations;
  }

  void check(ObservedRequest.Answer answer, NodeModel knowledge) {
    checkDegraded(answer);
    checkCell(answer, knowledge);
  }

  /**
   * A series that has to make room while it is read is degraded, and so is one that a clock which
   * is ahead for a moment takes for expired.
   */
  private void checkDegraded(ObservedRequest.Answer answer) {
    Node node = answer.request().node();
    long now = timeline.nowNanos();
    violations.require(
        !answer.decision().degraded()
            || plan.isCrowded()
            || excuses.mayFailToRead(node, answer.entry().series(), now)
            || excuses.clockSetSince(node, answer.request().nanos(), now),
        "no answer is degraded while its part of the origin works",
        "%s answered %s degraded, of part %d",
        node,
        answer.request(),
        node.region().origin().part(answer.entry().series()));
  }

  /**
   * A clock that was ahead for a moment must not lock a series: a cell that begins more than a
   * window after the time of the request is given up. Within a window, the time of the request
   * counts as the start of the cell.
   */
  private void checkCell(ObservedRequest.Answer answer, NodeModel knowledge) {
    Node node = answer.request().node();
    long start = answer.startMillis();
    long now = answer.request().nowMillis();
    long latest = Math.max(now, node.millis()); // which may have been set while the request waited
    long window = answer.entry().request().scope().windowMillis();
    violations.require(
        start <= latest + window,
        "no clock that was ahead locks a series",
        "%s judged %s by a cell that begins %d ms later, in a window of %d ms",
        node,
        answer.request(),
        start - latest,
        window);
    violations.require(
        start > now - window && start <= Math.max(latest, knowledge.highestMillis()),
        "an answer belongs to the cell of its time",
        "%s judged %s at %d by the cell that begins at %d",
        node,
        answer.request(),
        now,
        start);
  }
}
