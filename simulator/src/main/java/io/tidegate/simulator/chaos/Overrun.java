package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import java.util.List;

/**
 * How far a limit may be exceeded: by what others have accepted and the node that admits cannot
 * know yet.
 */
final class Overrun {

  private final Plan plan;
  private final Timeline timeline;
  private final Truth truth;
  private final Verdicts verdicts;

  Overrun(Plan plan, Timeline timeline, Truth truth, Verdicts verdicts) {
    this.plan = plan;
    this.timeline = timeline;
    this.truth = truth;
    this.verdicts = verdicts;
  }

  /**
   * Checks an admission.
   *
   * @param most the true effective count, with what was admitted
   */
  void check(Request.Answer answer, long most) {
    long limit = answer.decision().limit();
    long unknown = most - answer.decision().effectiveCount();
    boolean hardlyUsed = answer.decision().effectiveCount() <= limit / 100; // does not ask
    boolean displaced = plan.isCrowded() && answer.decision().degraded(); // and says so
    if (unknown <= 0 || hardlyUsed || displaced) {
      return;
    }
    WindowCell cell = WindowCell.at(answer.entry().series(), answer.startMillis());
    long nowMillis = Node.EPOCH_MILLIS + timeline.nowNanos() / Plan.MILLI;
    if (cell.expiresAtMillis() <= nowMillis) {
      return; // by a clock that was set back: the origin has let it go
    }
    long allowed = 0;
    for (WindowCell each : List.of(cell, cell.previous())) {
      allowed += mayBeUnknown(answer.request().node(), each);
    }
    verdicts.require(
        unknown <= allowed,
        "a limit is exceeded by no more than counts on their way",
        "%s admitted %s not knowing of %d, where %d may be unknown",
        answer.request().node(),
        answer.request(),
        unknown,
        allowed);
  }

  private long mayBeUnknown(Node node, WindowCell cell) {
    String home = node.region().name();
    long calm = plan.troubleBegan(timeline.nowNanos());
    // A node that has just started may have heard of nothing yet; what an origin has lost, nobody
    // tells it again who had to forget it.
    if (node.startedNanos() >= calm
        || plan.isCrowded() && plan.had(Fault.Kind.ORIGIN_WIPED, timeline.nowNanos())) {
      calm = Long.MIN_VALUE / 2;
    }
    long peers = truth.since(
        cell,
        calm - Guarantees.regionalLagNanos(plan),
        other -> other != node && other.region() == node.region());
    long lag = plan.isCrowded() ? Guarantees.forgottenNanos(plan) : Guarantees.globalLagNanos(plan);
    long others = truth.since(
        cell, calm - lag, other -> !other.isDead() && !other.region().name().equals(home));
    // What it admitted itself in this very moment may have come after; what it counted in a life of
    // the series that had to make room, it hears of by the origin.
    long own = truth.since(
        cell,
        plan.isCrowded() ? calm - Guarantees.regionalLagNanos(plan) : timeline.nowNanos(),
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
      String region = Plan.regionName(i);
      long count = truth.ofNodes(cell, node -> node.region().name().equals(region));
      if (!region.equals(home)) {
        sum += plan.untold(cell.series(), count);
      }
    }
    return sum;
  }
}
