package io.tidegate.simulator.chaos;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.RegionOfNodes;
import io.tidegate.simulator.world.World;
import java.util.List;
import java.util.function.Consumer;

/** In the end, when nothing has gone wrong for a while, everybody knows the truth. */
final class Convergence {

  /** So far below the limit that a first look does not wait for what it asks for. */
  private static final long LIMIT = Bounds.MAX_TOKENS;

  /** For a read to be answered. */
  private static final long READ_NANOS = 2 * Plan.SECOND;

  /** Those that are looked at where each takes a minute and a half. */
  private static final int FEW = 2;

  private final Plan plan;
  private final World world;
  private final Crew crew;
  private final Truth truth;
  private final Referee referee;
  private final Verdicts verdicts;

  Convergence(Plan plan, World world, Crew crew, Truth truth, Referee referee, Verdicts verdicts) {
    this.plan = plan;
    this.world = world;
    this.crew = crew;
    this.truth = truth;
    this.referee = referee;
    this.verdicts = verdicts;
  }

  void check() {
    for (Plan.Subject subject : plan.subjects()) {
      ask(subject, decision -> {});
    }
    // What they heard just now may be worth telling the other regions.
    world.timeline().runUntil(world.timeline().nowNanos() + 2 * Guarantees.globalLagNanos(plan));
    if (plan.isCrowded()) {
      plan.subjects().stream().limit(FEW).forEach(this::checkWhereNotAllHaveRoom);
    } else {
      plan.subjects().forEach(subject -> ask(subject, decision -> {}));
      plan.subjects().forEach(subject -> ask(subject, this::check));
    }
  }

  /** One at a time, until nodes have come to hear of other regions again. */
  private void checkWhereNotAllHaveRoom(Plan.Subject subject) {
    ask(subject, decision -> {});
    world.timeline().runUntil(world.timeline().nowNanos() + Guarantees.forgottenNanos(plan));
    ask(subject, decision -> {});
    ask(subject, this::check);
  }

  /** What a node has answered. */
  private record Look(Node node, Plan.Subject subject, long nowMillis, Decision decision) {}

  /** Asks all nodes what they know, and gives them time to ask their origin. */
  private void ask(Plan.Subject subject, Consumer<Look> answered) {
    LimitRequest look =
        new LimitRequest(subject.series().scope(), subject.series().identifier(), LIMIT, 0);
    int[] missing = {0};
    for (Node node : crew.running()) {
      missing[0]++;
      Request request = referee.asks(node, List.of(look));
      node.limiter().tryAcquireAsync(look, request.nowMillis()).whenComplete((one, failure) -> {
        missing[0]--;
        referee.answered(request, Request.batchOf(one), failure);
        if (one != null) {
          answered.accept(new Look(node, subject, request.nowMillis(), one));
        }
      });
    }
    world.timeline().runUntil(world.timeline().nowNanos() + READ_NANOS);
    verdicts.require(
        missing[0] == 0, "every request is answered in time", "%d looks are not", missing[0]);
    verdicts.throwFirst();
  }

  private void check(Look look) {
    Node node = look.node;
    Decision decision = look.decision;
    long window = look.subject.series().scope().windowMillis();
    long start = decision.resetAtMillis() - window;
    WindowCell cell = WindowCell.at(look.subject.series(), start);
    long least = Truth.effective(
        least(node, cell), least(node, cell.previous()), start, look.nowMillis, window);
    verdicts.require(
        decision.effectiveCount() >= least,
        "in the end everybody knows the truth",
        "%s knows %d of %s, where it should know %d, and in truth there are %d",
        node,
        decision.effectiveCount(),
        Referee.words(cell),
        least,
        truth.effective(look.subject.series(), start, look.nowMillis));
  }

  /** What a node should know of a cell. */
  private long least(Node node, WindowCell cell) {
    long sum = 0;
    for (int i = 0; i < crew.regions(); i++) {
      RegionOfNodes region = crew.region(i);
      sum += region == node.region() ? inOrigin(region, cell) : told(region, cell);
    }
    return sum;
  }

  /** What the origin of a region holds: all, but what was lost with those who knew it. */
  private long inOrigin(RegionOfNodes region, WindowCell cell) {
    long keptNanos = 3 * cell.series().scope().windowMillis() * Plan.MILLI;
    for (Node node : crew.running()) {
      boolean stillTold = node.region() == region
          && world.timeline().nowNanos() < truth.lastNanos(cell, node) + keptNanos
          && !(plan.isCrowded() && plan.has(Fault.Kind.ORIGIN_WIPED))
          && cell.startMillis() <= node.millis();
      if (stillTold) {
        verdicts.require(
            Referee.held(node, cell) == truth.ofNode(cell, node),
            "in the end the origin knows what its nodes accepted",
            "the origin of %s has %d of %s by %s, which accepted %d",
            region,
            Referee.held(node, cell),
            Referee.words(cell),
            node,
            truth.ofNode(cell, node));
      }
    }
    return region.origin().total(cell);
  }

  /** What a region has told the others: all that its policy wants. */
  private long told(RegionOfNodes region, WindowCell cell) {
    long told = world.database().count(region.name(), cell);
    boolean somebodyDied =
        truth.ofNodes(cell, node -> node.region() == region && node.isDead()) > 0;
    if (!somebodyDied && !plan.isCrowded()) {
      long count = truth.ofNodes(cell, node -> node.region() == region);
      verdicts.require(
          told >= count - plan.untold(cell.series(), count),
          "in the end the other regions know what is worth it",
          "%s has told %d of %s, and accepted %d",
          region,
          told,
          Referee.words(cell),
          count);
    }
    return told;
  }
}
