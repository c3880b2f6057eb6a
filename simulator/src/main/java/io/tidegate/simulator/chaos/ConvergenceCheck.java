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

/** Checks at the end of a run, when all faults are over, that all counts have converged. */
final class ConvergenceCheck {

  /** So far above all counts that a peek does not wait for its read. */
  private static final long LIMIT = Bounds.MAX_TOKENS;

  /** Time for a read to be answered. */
  private static final long READ_NANOS = 2 * Scenario.SECOND;

  /** Number of subjects that are checked where each of them takes a minute and a half. */
  private static final int FEW = 2;

  private final Scenario scenario;
  private final World world;
  private final Cluster cluster;
  private final GroundTruth truth;
  private final Excuses excuses;
  private final Referee referee;
  private final Violations violations;

  ConvergenceCheck(
      Scenario scenario,
      World world,
      Cluster cluster,
      GroundTruth truth,
      Excuses excuses,
      Referee referee,
      Violations violations) {
    this.scenario = scenario;
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
    subjects.forEach(this::peek);
    // The reads may have returned counts that are worth pushing. A series that was moved back by
    // the
    // peek receives other regions' counts with the next pull of everything.
    advance(
        scenario.clocksAreSet()
            ? TimeBounds.returnAfterEviction(scenario)
            : 2 * TimeBounds.globalLag(scenario));
    if (scenario.isCrowded()) {
      subjects.stream().limit(FEW).forEach(subject -> {
        peek(subject); // creates the series, so that it receives other regions' counts again
        advance(TimeBounds.returnAfterEviction(scenario));
        check(subject);
      });
    } else {
      subjects.forEach(this::check);
    }
  }

  private void advance(long nanos) {
    world.timeline().runUntil(world.timeline().nowNanos() + nanos);
  }

  /** All busy subjects, a few rare ones and a filler. */
  private List<Scenario.Subject> subjects() {
    List<Scenario.Subject> subjects = new ArrayList<>();
    scenario.subjects().stream().filter(subject -> !subject.rare()).forEach(subjects::add);
    scenario.subjects().stream().filter(Scenario.Subject::rare).limit(FEW).forEach(subjects::add);
    if (scenario.fillers() > 0) {
      int number = world.random().nextInt(scenario.fillers());
      subjects.add(new Scenario.Subject(Scenario.filler(number), Scenario.FILLER_LIMIT, true));
    }
    return subjects;
  }

  /** Checks the origins for all series, including those that no node is asked for. */
  private void checkOrigins() {
    for (WindowCell cell : truth.cells()) {
      for (int i = 0; i < cluster.regions(); i++) {
        storedInOrigin(cluster.region(i), cell);
      }
    }
    violations.throwFirst();
  }

  /** An answered peek. */
  private record Peek(Node node, Scenario.Subject subject, long nowMillis, Decision decision) {}

  /** The first peek causes a read; the second one counts, unless a new window has begun. */
  private void check(Scenario.Subject subject) {
    Map<Node, Peek> first = peek(subject);
    peek(subject).forEach((node, second) -> {
      Peek before = first.get(node);
      if (before != null && second.decision.resetAtMillis() == before.decision.resetAtMillis()) {
        check(second);
      }
    });
    violations.throwFirst();
  }

  /** Peeks at a series on all nodes, and gives them time to read their origin. */
  private Map<Node, Peek> peek(Scenario.Subject subject) {
    LimitRequest request =
        new LimitRequest(subject.series().scope(), subject.series().identifier(), LIMIT, 0);
    Map<Node, Peek> peeks = new LinkedHashMap<>();
    List<Node> nodes = cluster.running();
    for (Node node : nodes) {
      ObservedRequest observed = referee.requested(node, List.of(request));
      node.limiter()
          .tryAcquireAsync(request, observed.nowMillis())
          .whenComplete((decision, failure) -> {
            referee.answered(observed, ObservedRequest.batchOf(decision), failure);
            if (decision != null) {
              peeks.put(node, new Peek(node, subject, observed.nowMillis(), decision));
            }
          });
    }
    advance(READ_NANOS);
    violations.require(
        peeks.size() == nodes.size(),
        Guarantee.ANSWER_IN_TIME,
        "of %d peeks, %d were answered",
        nodes.size(),
        peeks.size());
    violations.throwFirst();
    return peeks;
  }

  private void check(Peek peek) {
    long window = peek.subject.series().scope().windowMillis();
    long start = peek.decision.resetAtMillis() - window;
    WindowCell cell = WindowCell.at(peek.subject.series(), start);
    long expected = GroundTruth.effective(
        cell, expected(peek.node, cell), expected(peek.node, cell.previous()), peek.nowMillis);
    violations.require(
        peek.decision.effectiveCount() >= expected,
        Guarantee.NODES_CONVERGE,
        "%s counts %d of %s instead of %d, and %d were admitted",
        peek.node,
        peek.decision.effectiveCount(),
        Referee.text(cell),
        expected,
        truth.effective(peek.subject.series(), start, peek.nowMillis));
  }

  /** The count of a cell that a node should have. */
  private long expected(Node node, WindowCell cell) {
    long sum = 0;
    for (int i = 0; i < cluster.regions(); i++) {
      SimulatedRegion region = cluster.region(i);
      sum += node.isIn(region) ? storedInOrigin(region, cell) : storedInDatabase(region, cell);
    }
    return sum;
  }

  /** The count of an origin, checked against the counts of its nodes. */
  private long storedInOrigin(SimulatedRegion region, WindowCell cell) {
    for (Node node : cluster.running()) {
      if (node.isIn(region) && mustBeStored(node, cell)) {
        // A clock that was ahead expires cells. Their unconfirmed counts are dropped and reported.
        long dropped = clockWasMoved(node) ? node.limiter().stats().lostTokens() : 0;
        long stored = MessageCheck.stored(node, cell);
        long admitted = truth.ofNode(cell, node);
        violations.require(
            stored <= admitted && stored >= admitted - dropped,
            Guarantee.ORIGIN_CONVERGES,
            "the origin of %s has %d of %s by %s, which admitted %d",
            region,
            stored,
            Referee.text(cell),
            node,
            admitted);
      }
    }
    return region.origin().total(cell);
  }

  /** Whether a cell is live by all clocks, and the node still has all of its own counts. */
  private boolean mustBeStored(Node node, WindowCell cell) {
    long nowNanos = world.timeline().nowNanos();
    long nowMillis = Node.EPOCH_MILLIS + nowNanos / Scenario.MILLI;
    boolean mayHaveEvicted = scenario.isCrowded() || clockWasMoved(node);
    return nowNanos
            < truth.lastNanos(cell, node)
                + TimeBounds.cellLifetime(cell.series().scope())
        && Math.max(nowMillis, node.millis()) < cell.expiresAtMillis()
        && !(mayHaveEvicted && scenario.has(FaultTrait.LOSES_ORIGIN_COUNTS))
        && cell.startMillis() <= node.millis();
  }

  private boolean clockWasMoved(Node node) {
    return excuses.clockMovedSince(node, 0, world.timeline().nowNanos());
  }

  /** The count that a region has pushed, checked against its policy. */
  private long storedInDatabase(SimulatedRegion region, WindowCell cell) {
    long stored = world.database().count(region.name(), cell);
    boolean killedNodesCounted =
        truth.ofNodes(cell, node -> node.isIn(region) && node.isDead()) > 0;
    if (!killedNodesCounted && !scenario.isCrowded()) {
      long count = truth.ofNodes(cell, node -> node.isIn(region));
      violations.require(
          stored >= count - scenario.maxUnpushed(cell.series(), count),
          Guarantee.DATABASE_CONVERGES,
          "%s has pushed %d of %s, and admitted %d",
          region,
          stored,
          Referee.text(cell),
          count);
    }
    return stored;
  }
}
