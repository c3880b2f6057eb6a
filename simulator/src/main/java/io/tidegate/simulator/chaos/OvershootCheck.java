package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import java.util.List;

/**
 * How far a limit may be exceeded: by what others have accepted and the node that admits cannot
 * know yet.
 */
final class OvershootCheck {

  private static final long EVER = Long.MIN_VALUE / 2;

  private final Scenario plan;
  private final Timeline timeline;
  private final GroundTruth truth;
  private final Excuses excuses;
  private final Violations violations;

  OvershootCheck(
      Scenario plan, Timeline timeline, GroundTruth truth, Excuses excuses, Violations violations) {
    this.plan = plan;
    this.timeline = timeline;
    this.truth = truth;
    this.excuses = excuses;
    this.violations = violations;
  }

  /**
   * Checks an admission.
   *
   * @param most the true effective count, with what was admitted
   * @param knowledge what the node knows at least
   */
  void check(ObservedRequest.Answer answer, long most, NodeModel knowledge) {
    long limit = answer.decision().limit();
    long unknown = most - answer.decision().effectiveCount();
    boolean hardlyUsed = answer.decision().effectiveCount() <= limit / 100; // does not ask
    boolean displaced = plan.isCrowded() && answer.decision().degraded(); // and says so
    WindowCell cell = WindowCell.at(answer.entry().series(), answer.startMillis());
    if (unknown <= 0
        || hardlyUsed
        || displaced
        || isJustBegun(answer, knowledge.enteredNanos(cell))) {
      return;
    }
    long nowMillis = Node.EPOCH_MILLIS + timeline.nowNanos() / Scenario.MILLI;
    if (cell.expiresAtMillis() <= nowMillis) {
      return; // by a clock that was set back: the origin has let it go
    }
    long allowed = 0;
    for (WindowCell each : List.of(cell, cell.previous())) {
      allowed += mayBeUnknown(answer, each, knowledge);
    }
    violations.require(
        unknown <= allowed,
        "a limit is exceeded by no more than counts on their way",
        "%s admitted %s not knowing of %d, where %d may be unknown",
        answer.request().node(),
        answer.request(),
        unknown,
        allowed);
  }

  /**
   * A series that was in use when a window began goes on up to half its limit before the origin has
   * answered. Where clocks differ, others may have counted in that window long before.
   */
  private boolean isJustBegun(ObservedRequest.Answer answer, long enteredNanos) {
    return plan.clocksDiffer(timeline.nowNanos())
        && answer.decision().effectiveCount() <= answer.decision().limit() / 2
        && timeline.nowNanos() - enteredNanos <= TimeBounds.FRESH;
  }

  private long mayBeUnknown(ObservedRequest.Answer answer, WindowCell cell, NodeModel knowledge) {
    Node node = answer.request().node();
    String home = node.region().name();
    long now = timeline.nowNanos();
    long calm = excuses.beganInRegion(node, cell.series(), now);
    long globalCalm = Math.min(calm, excuses.began(now));
    // A node that has just started may have heard of nothing yet; what an origin has lost, nobody
    // tells it again who had to forget it.
    boolean evictedAndLost = plan.isCrowded()
        && (plan.had(Fault.Kind.ORIGIN_WIPED, now)
            || plan.had(Fault.Kind.ORIGIN_LOSES_A_CELL, now));
    if (node.startedNanos() >= calm || evictedAndLost || excuses.isLost(node, cell, now)) {
      calm = EVER;
    }
    if (node.startedNanos() >= globalCalm || evictedAndLost) {
      globalCalm = EVER;
    }
    if (answer.decision().degraded()) { // and says that it rests on what was heard last
      calm = Math.min(calm, knowledge.heardNanos(cell));
    }
    long peers = truth.since(
        cell,
        calm - TimeBounds.regionalLagNanos(plan),
        other -> other != node && other.region() == node.region());
    long lag = TimeBounds.globalLagNanos(plan);
    // What others counted before the cell began by this node's clock, it takes note of then.
    long begunNanos = Math.min(
        knowledge.enteredNanos(cell), now - (node.millis() - cell.startMillis()) * Scenario.MILLI);
    boolean unheard = plan.isCrowded() // whenever the series had to make room, and came back
        || begunNanos > globalCalm - lag
        || knowledge.forgottenNanos(cell.series()) > globalCalm - TimeBounds.forgottenNanos(plan);
    long others = truth.since(
        cell,
        unheard ? EVER : globalCalm - lag,
        other -> !other.isDead() && !other.region().name().equals(home));
    // What it admitted itself in this very moment may have come after; what it counted in a life of
    // the series that had to make room, it hears of by the origin.
    boolean mayHaveForgotten = plan.isCrowded() || plan.clocksDiffer(now);
    long own = truth.since(
        cell,
        mayHaveForgotten ? calm - TimeBounds.regionalLagNanos(plan) : now,
        other -> other == node);
    return own + peers + others + lost(cell, node) + untold(cell, home);
  }

  /**
   * Of what a node accepted that was killed, its region may never hear some, and other regions all.
   */
  private long lost(WindowCell cell, Node node) {
    return truth.ofNodes(cell, other -> other.isDead() && other.region() != node.region())
        + truth.sumOfNodes(
            cell,
            (other, accepted) -> other.isDead() && other.region() == node.region()
                ? accepted - Referee.held(other, cell)
                : 0);
  }

  /** What the other regions need not tell by their policy. */
  private long untold(WindowCell cell, String home) {
    long sum = 0;
    for (int i = 0; i < plan.nodes().size(); i++) {
      String region = Scenario.regionName(i);
      long count = truth.ofNodes(cell, node -> node.region().name().equals(region));
      if (!region.equals(home)) {
        sum += plan.untold(cell.series(), count);
      }
    }
    return sum;
  }
}
