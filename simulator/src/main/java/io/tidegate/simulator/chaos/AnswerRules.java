package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;

/**
 * What holds for each answer, whatever the counts are: it is marked as degraded only where reads
 * can fail, and it belongs to the cell of its time.
 */
final class AnswerRules {

  private final Plan plan;
  private final Timeline timeline;
  private final Trouble trouble;
  private final Verdicts verdicts;

  AnswerRules(Plan plan, Timeline timeline, Trouble trouble, Verdicts verdicts) {
    this.plan = plan;
    this.timeline = timeline;
    this.trouble = trouble;
    this.verdicts = verdicts;
  }

  void check(Request.Answer answer, Knowledge knowledge) {
    checkDegraded(answer);
    checkCell(answer, knowledge);
  }

  /**
   * A series that has to make room while it is read is degraded, and so is one that a clock which
   * is ahead for a moment takes for expired.
   */
  private void checkDegraded(Request.Answer answer) {
    Node node = answer.request().node();
    long now = timeline.nowNanos();
    verdicts.require(
        !answer.decision().degraded()
            || plan.isCrowded()
            || trouble.mayFailToRead(node, answer.entry().series(), now)
            || trouble.clockSetSince(node, answer.request().nanos(), now),
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
  private void checkCell(Request.Answer answer, Knowledge knowledge) {
    Node node = answer.request().node();
    long start = answer.startMillis();
    long now = answer.request().nowMillis();
    long latest = Math.max(now, node.millis()); // which may have been set while the request waited
    long window = answer.entry().request().scope().windowMillis();
    verdicts.require(
        start <= latest + window,
        "no clock that was ahead locks a series",
        "%s judged %s by a cell that begins %d ms later, in a window of %d ms",
        node,
        answer.request(),
        start - latest,
        window);
    verdicts.require(
        start > now - window && start <= Math.max(latest, knowledge.highestMillis()),
        "an answer belongs to the cell of its time",
        "%s judged %s at %d by the cell that begins at %d",
        node,
        answer.request(),
        now,
        start);
  }
}
