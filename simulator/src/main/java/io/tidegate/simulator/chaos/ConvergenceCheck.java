package io.tidegate.simulator.chaos;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** In the end, when nothing has gone wrong for a while, everybody knows the truth. */
final class ConvergenceCheck {

  /** So far below the limit that a first look does not wait for what it asks for. */
  private static final long LIMIT = Bounds.MAX_TOKENS;

  /** For a read to be answered. */
  private static final long READ_NANOS = 2 * Scenario.SECOND;

  /** Those that are looked at where each takes a minute and a half. */
  private static final int FEW = 2;

  private final Scenario plan;
  private final World world;
  private final Cluster cluster;
  private final GroundTruth truth;
  private final Excuses excuses;
  private final Referee referee;
  private final Violations violations;

  ConvergenceCheck(
      Scenario plan,
      World world,
      Cluster cluster,
      GroundTruth truth,
      Excuses excuses,
      Referee referee,
      Violations violations) {
    this.plan = plan;
    this.world = world;
    this.cluster = cluster;
    this.truth = truth;
    this.excuses = excuses;
    this.referee = referee;
    this.violations = violations;
  }

  void check() {
    checkOrigins();
    List<Scenario.Subject> subjects = subjects();
    subjects.forEach(this::look);
    // What they heard just now may be worth telling the other regions. A series that a clock has
    // moved back with the look learns of other regions with the next pull of everything.
    long heardNanos =
        plan.clocksAreSet() ? TimeBounds.forgottenNanos(plan) : 2 * TimeBounds.globalLagNanos(plan);
    world.timeline().runUntil(world.timeline().nowNanos() + heardNanos);
    if (plan.isCrowded()) {
      subjects.stream().limit(FEW).forEach(subject -> {
        look(subject); // to come to hear of other regions again
        world.timeline().runUntil(world.timeline().nowNanos() + TimeBounds.forgottenNanos(plan));
        check(subject);
      });
    } else {
      subjects.forEach(this::check);
    }
  }

  /** All that are busy, and a few of those that are not. */
  private List<Scenario.Subject> subjects() {
    List<Scenario.Subject> subjects = new ArrayList<>();
    plan.subjects().stream().filter(subject -> !subject.rare()).forEach(subjects::add);
    plan.subjects().stream().filter(Scenario.Subject::rare).limit(FEW).forEach(subjects::add);
    if (plan.fillers() > 0) {
      int number = world.random().nextInt(plan.fillers());
      subjects.add(new Scenario.Subject(Scenario.filler(number), Scenario.FILLER_LIMIT, true));
    }
    return subjects;
  }

  /** Series that are not looked at are in the origins all the same. */
  private void checkOrigins() {
    for (WindowCell cell : truth.cells()) {
      for (int i = 0; i < cluster.regions(); i++) {
        inOrigin(cluster.region(i), cell);
      }
    }
    violations.throwFirst();
  }

  /** What a node has answered. */
  private record Look(Node node, Scenario.Subject subject, long nowMillis, Decision decision) {}

  /** The first look has the origin asked; what the second finds counts, unless a window began. */
  private void check(Scenario.Subject subject) {
    Map<Node, Look> first = look(subject);
    look(subject).forEach((node, look) -> {
      if (look.decision.resetAtMillis() == first.get(node).decision.resetAtMillis()) {
        check(look);
      }
    });
    violations.throwFirst();
  }

  /** Asks all nodes what they know, and gives them time to ask their origin. */
  private Map<Node, Look> look(Scenario.Subject subject) {
    LimitRequest nothing =
        new LimitRequest(subject.series().scope(), subject.series().identifier(), LIMIT, 0);
    Map<Node, Look> looks = new LinkedHashMap<>();
    List<Node> nodes = cluster.running();
    for (Node node : nodes) {
      ObservedRequest request = referee.asks(node, List.of(nothing));
      node.limiter().tryAcquireAsync(nothing, request.nowMillis()).whenComplete((one, failure) -> {
        referee.answered(request, ObservedRequest.batchOf(one), failure);
        if (one != null) {
          looks.put(node, new Look(node, subject, request.nowMillis(), one));
        }
      });
    }
    world.timeline().runUntil(world.timeline().nowNanos() + READ_NANOS);
    violations.require(
        looks.size() == nodes.size(),
        "every request is answered in time",
        "of %d looks, %d were answered",
        nodes.size(),
        looks.size());
    violations.throwFirst();
    return looks;
  }

  private void check(Look look) {
    Node node = look.node;
    Decision decision = look.decision;
    long window = look.subject.series().scope().windowMillis();
    long start = decision.resetAtMillis() - window;
    WindowCell cell = WindowCell.at(look.subject.series(), start);
    long least = GroundTruth.effective(
        least(node, cell), least(node, cell.previous()), start, look.nowMillis, window);
    violations.require(
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
    for (int i = 0; i < cluster.regions(); i++) {
      SimulatedRegion region = cluster.region(i);
      sum += region == node.region() ? inOrigin(region, cell) : told(region, cell);
    }
    return sum;
  }

  /** What the origin of a region holds: all, but what was lost with those who knew it. */
  private long inOrigin(SimulatedRegion region, WindowCell cell) {
    long window = cell.series().scope().windowMillis();
    long nowMillis = Node.EPOCH_MILLIS + world.timeline().nowNanos() / Scenario.MILLI;
    for (Node node : cluster.running()) {
      boolean forgets =
          plan.isCrowded() || excuses.clockSetSince(node, 0, world.timeline().nowNanos());
      boolean evictedAndLost = forgets
          && (plan.has(Fault.Kind.ORIGIN_WIPED) || plan.has(Fault.Kind.ORIGIN_LOSES_A_CELL));
      boolean stillTold = node.region() == region
          && world.timeline().nowNanos() < truth.lastNanos(cell, node) + 3 * window * Scenario.MILLI
          && Math.max(nowMillis, node.millis()) - cell.startMillis() < 2 * window
          && !evictedAndLost
          && cell.startMillis() <= node.millis();
      if (stillTold) {
        // A clock that was ahead takes cells for over: what was not sent is given up, and reported.
        long lost = excuses.clockSetSince(node, 0, world.timeline().nowNanos())
            ? node.limiter().stats().lostTokens()
            : 0;
        long held = Referee.held(node, cell);
        violations.require(
            held <= truth.ofNode(cell, node) && held >= truth.ofNode(cell, node) - lost,
            "in the end the origin knows what its nodes accepted",
            "the origin of %s has %d of %s by %s, which accepted %d",
            region,
            held,
            Referee.words(cell),
            node,
            truth.ofNode(cell, node));
      }
    }
    return region.origin().total(cell);
  }

  /** What a region has told the others: all that its policy wants. */
  private long told(SimulatedRegion region, WindowCell cell) {
    long told = world.database().count(region.name(), cell);
    boolean somebodyDied =
        truth.ofNodes(cell, node -> node.region() == region && node.isDead()) > 0;
    if (!somebodyDied && !plan.isCrowded()) {
      long count = truth.ofNodes(cell, node -> node.region() == region);
      violations.require(
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
