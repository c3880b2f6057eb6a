package io.tidegate.simulator.chaos;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import java.util.List;

/** Checks that a node admits beyond a limit only because of counts that it cannot have yet. */
final class OvershootCheck {

  private static final long ALWAYS = Long.MIN_VALUE / 2;

  private final Scenario scenario;
  private final Timeline timeline;
  private final GroundTruth truth;
  private final Excuses excuses;
  private final Violations violations;

  OvershootCheck(
      Scenario scenario,
      Timeline timeline,
      GroundTruth truth,
      Excuses excuses,
      Violations violations) {
    this.scenario = scenario;
    this.timeline = timeline;
    this.truth = truth;
    this.excuses = excuses;
    this.violations = violations;
  }

  /**
   * Checks an admission.
   *
   * @param trueCount true effective count, including the request
   */
  void check(ObservedRequest.Answer answer, long trueCount, NodeModel model) {
    long missing = trueCount - answer.decision().effectiveCount();
    WindowCell cell = answer.cell();
    if (missing <= 0 || isExempt(answer, model.enteredNanos(cell))) {
      return;
    }
    long inFlight = 0;
    for (WindowCell each : List.of(cell, cell.previous())) {
      inFlight += inFlight(answer, each, model);
    }
    violations.require(
        missing <= inFlight,
        Guarantee.OVERSHOOT_IS_BOUNDED,
        "%s admitted %s without %d tokens, where %d may be in flight",
        answer.request().node(),
        answer.request(),
        missing,
        inFlight);
  }

  private boolean isExempt(ObservedRequest.Answer answer, long enteredNanos) {
    long count = answer.decision().effectiveCount();
    long limit = answer.decision().limit();
    boolean readsNothingYet = count <= limit / 100;
    boolean evictedDuringRead = scenario.isCrowded() && answer.decision().degraded();
    // A series in use goes on up to half its limit in a new window before the origin has answered.
    // Where clocks differ, other nodes may have counted in that window long before.
    boolean justRotated = scenario.clocksDiffer(timeline.nowNanos())
        && count <= limit / 2
        && timeline.nowNanos() - enteredNanos <= TimeBounds.FRESH;
    // By a clock that was set back: the cell has expired in the origin.
    long nowMillis = Node.EPOCH_MILLIS + timeline.nowNanos() / Scenario.MILLI;
    boolean expired = answer.cell().expiresAtMillis() <= nowMillis;
    return readsNothingYet || evictedDuringRead || justRotated || expired;
  }

  /** Most tokens of a cell that the node may not have received yet. */
  private long inFlight(ObservedRequest.Answer answer, WindowCell cell, NodeModel model) {
    Node node = answer.request().node();
    long now = timeline.nowNanos();
    long regionalTrouble = excuses.regionalTroubleSince(node, cell.series(), now);
    long globalTrouble = Math.min(regionalTrouble, excuses.globalTroubleSince(now));
    boolean countsLost = scenario.losesEvictedCounts(now);
    if (node.startedNanos() >= regionalTrouble || countsLost || excuses.isLost(node, cell, now)) {
      regionalTrouble = ALWAYS; // a node that has just started may have received nothing
    }
    if (node.startedNanos() >= globalTrouble || countsLost) {
      globalTrouble = ALWAYS;
    }
    if (answer.decision().degraded()) { // rests on what the node received last
      regionalTrouble = Math.min(regionalTrouble, model.receivedNanos(cell));
    }
    long regionalSince = regionalTrouble - TimeBounds.regionalLag(scenario);
    return own(cell, node, regionalSince)
        + truth.since(cell, regionalSince, other -> other != node && other.isIn(node.region()))
        + imported(cell, node, globalTrouble, model)
        + lostWithKilledNodes(cell, node)
        + unpushed(cell, node.region().name());
  }

  /**
   * Own tokens of the same event may have been admitted after the decision. Those of an earlier
   * incarnation of the series return with the peers' count.
   */
  private long own(WindowCell cell, Node node, long regionalSince) {
    long now = timeline.nowNanos();
    boolean mayHaveEvicted = scenario.isCrowded() || scenario.clocksDiffer(now);
    return truth.since(cell, mayHaveEvicted ? regionalSince : now, other -> other == node);
  }

  private long imported(WindowCell cell, Node node, long globalTrouble, NodeModel model) {
    long since = globalTrouble - TimeBounds.globalLag(scenario);
    // Counts from before the cell began by this node's clock are applied when it begins.
    long begunNanos = Math.min(
        model.enteredNanos(cell),
        timeline.nowNanos() - (node.millis() - cell.startMillis()) * Scenario.MILLI);
    boolean nothingReceived = scenario.isCrowded() // since the last eviction
        || begunNanos > since
        || model.evictedNanos(cell.series())
            > globalTrouble - TimeBounds.returnAfterEviction(scenario);
    return truth.since(
        cell,
        nothingReceived ? ALWAYS : since,
        other -> !other.isDead() && !other.region().name().equals(node.region().name()));
  }

  /** Of a killed node, its region may miss the last counts and other regions may miss all. */
  private long lostWithKilledNodes(WindowCell cell, Node node) {
    return truth.ofNodes(cell, other -> other.isDead() && !other.isIn(node.region()))
        + truth.sumOfNodes(
            cell,
            (other, admitted) -> other.isDead() && other.isIn(node.region())
                ? admitted - MessageCheck.stored(other, cell)
                : 0);
  }

  /** Tokens that the policy lets other regions leave unpushed. */
  private long unpushed(WindowCell cell, String home) {
    long sum = 0;
    for (int i = 0; i < scenario.nodes().size(); i++) {
      String region = Scenario.regionName(i);
      long count = truth.ofNodes(cell, node -> node.region().name().equals(region));
      if (!region.equals(home)) {
        sum += scenario.maxUnpushed(cell.series(), count);
      }
    }
    return sum;
  }
}
