package io.tidegate.simulator.chaos;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.RegionOfNodes;
import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
  private final Trouble trouble;
  private final Referee referee;
  private final Verdicts verdicts;

  Convergence(
      Plan plan,
      World world,
      Crew crew,
      Truth truth,
      Trouble trouble,
      Referee referee,
      Verdicts verdicts) {
    this.plan = plan;
    this.world = world;
    this.crew = crew;
    this.truth = truth;
    this.trouble = trouble;
    this.referee = referee;
    this.verdicts = verdicts;
  }

  void check() {
    checkOrigins();
    List<Plan.Subject> subjects = subjects();
    subjects.forEach(this::look);
    // What they heard just now may be worth telling the other regions. A series that a clock has
    // moved back with the look learns of other regions with the next pull of everything.
    long heardNanos =
        plan.clocksAreSet() ? Guarantees.forgottenNanos(plan) : 2 * Guarantees.globalLagNanos(plan);
    world.timeline().runUntil(world.timeline().nowNanos() + heardNanos);
    if (plan.isCrowded()) {
      subjects.stream().limit(FEW).forEach(subject -> {
        look(subject); // to come to hear of other regions again
        world.timeline().runUntil(world.timeline().nowNanos() + Guarantees.forgottenNanos(plan));
        check(subject);
      });
    } else {
      subjects.forEach(this::check);
    }
  }

  /** All that are busy, and a few of those that are not. */
  private List<Plan.Subject> subjects() {
    List<Plan.Subject> subjects = new ArrayList<>();
    plan.subjects().stream().filter(subject -> !subject.rare()).forEach(subjects::add);
    plan.subjects().stream().filter(Plan.Subject::rare).limit(FEW).forEach(subjects::add);
    if (plan.fillers() > 0) {
      int number = world.random().nextInt(plan.fillers());
      subjects.add(new Plan.Subject(Plan.filler(number), Plan.FILLER_LIMIT, true));
    }
    return subjects;
  }

  /** Series that are not looked at are in the origins all the same. */
  private void checkOrigins() {
    for (WindowCell cell : truth.cells()) {
      for (int i = 0; i < crew.regions(); i++) {
        inOrigin(crew.region(i), cell);
      }
    }
    verdicts.throwFirst();
  }

  /** What a node has answered. */
  private record Look(Node node, Plan.Subject subject, long nowMillis, Decision decision) {}

  /** The first look has the origin asked; what the second finds counts, unless a window began. */
  private void check(Plan.Subject subject) {
    Map<Node, Look> first = look(subject);
    look(subject).forEach((node, look) -> {
      if (look.decision.resetAtMillis() == first.get(node).decision.resetAtMillis()) {
        check(look);
      }
    });
    verdicts.throwFirst();
  }

  /** Asks all nodes what they know, and gives them time to ask their origin. */
  private Map<Node, Look> look(Plan.Subject subject) {
    LimitRequest nothing =
        new LimitRequest(subject.series().scope(), subject.series().identifier(), LIMIT, 0);
    Map<Node, Look> looks = new LinkedHashMap<>();
    List<Node> nodes = crew.running();
    for (Node node : nodes) {
      Request request = referee.asks(node, List.of(nothing));
      node.limiter().tryAcquireAsync(nothing, request.nowMillis()).whenComplete((one, failure) -> {
        referee.answered(request, Request.batchOf(one), failure);
        if (one != null) {
          looks.put(node, new Look(node, subject, request.nowMillis(), one));
        }
      });
    }
    world.timeline().runUntil(world.timeline().nowNanos() + READ_NANOS);
    verdicts.require(
        looks.size() == nodes.size(),
        "every request is answered in time",
        "of %d looks, %d were answered",
        nodes.size(),
        looks.size());
    verdicts.throwFirst();
    return looks;
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
    long window = cell.series().scope().windowMillis();
    long nowMillis = Node.EPOCH_MILLIS + world.timeline().nowNanos() / Plan.MILLI;
    for (Node node : crew.running()) {
      boolean forgets =
          plan.isCrowded() || trouble.clockSetSince(node, 0, world.timeline().nowNanos());
      boolean evictedAndLost = forgets
          && (plan.has(Fault.Kind.ORIGIN_WIPED) || plan.has(Fault.Kind.ORIGIN_LOSES_A_CELL));
      boolean stillTold = node.region() == region
          && world.timeline().nowNanos() < truth.lastNanos(cell, node) + 3 * window * Plan.MILLI
          && Math.max(nowMillis, node.millis()) - cell.startMillis() < 2 * window
          && !evictedAndLost
          && cell.startMillis() <= node.millis();
      if (stillTold) {
        // A clock that was ahead takes cells for over: what was not sent is given up, and reported.
        long lost = trouble.clockSetSince(node, 0, world.timeline().nowNanos())
            ? node.limiter().stats().lostTokens()
            : 0;
        long held = Referee.held(node, cell);
        verdicts.require(
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
