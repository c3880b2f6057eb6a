package io.tidegate.simulator.chaos;

import io.tidegate.model.Bounds;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.chaos.ObservedRequest.Answer;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks at the end of a run, when all faults are over, that all counts have converged. */
record ConvergenceCheck(RunContext run, Cluster cluster, Referee referee) {

  private static final long LIMIT = Bounds.MAX_TOKENS; // so high that no peek waits for its read
  private static final long READ_NANOS = 2 * Scenario.SECOND; // time for a read to be answered
  private static final int FEW = 2; // rare series that are checked

  void check() {
    for (WindowCell cell : run.truth.cells()) { // also of series that no node is asked for
      cluster.regions().forEach(region -> storedInOrigin(region, cell));
    }
    cluster.regions().forEach(this::checkImports);
    cluster.running().forEach(this::checkStats);
    if (!run.scenario.alone()) {
      cluster.running().forEach(this::checkReader);
    }
    run.throwIfViolated();
    List<Series> all = series();
    all.forEach(this::peek);
    // The reads may have returned counts that are worth pushing.
    advance(2 * TimeBounds.globalLag(run.scenario));
    all.forEach(this::check);
  }

  private void checkStats(Node node) {
    LimiterStats stats = node.limiter().stats();
    long running =
        cluster.running().stream().filter(other -> other.isIn(node.region())).count();
    run.check(Guarantee.NODES_ARE_COUNTED, stats.liveNodes() == running, node, " knows ", stats);
    run.check(Guarantee.ORIGIN_CONVERGES, stats.unconfirmedSeries() == 0, node, " has ", stats);
  }

  private void checkReader(Node node) {
    Optional<String> reader = node.region().origin().reader();
    LimiterStats stats = node.limiter().stats();
    boolean reads = reader.equals(Optional.of(node.name()));
    boolean agrees =
        reader.isPresent() && stats.reader().equals(reader) && stats.reading() == reads;
    run.check(Guarantee.ONE_READER, agrees, node, " of reader ", reader, " knows ", stats);
  }

  /**
   * Checks that an origin has what the other regions have pushed, of cells that are live. A clock
   * may have counted so far ahead that the origin has expired the cell before it begins.
   */
  private void checkImports(SimulatedRegion region) {
    Node any =
        cluster.running().stream().filter(node -> node.isIn(region)).findFirst().orElseThrow();
    long latestMillis = run.excuses.latestMillis(any);
    for (WindowCell cell : run.truth.cells()) {
      for (SimulatedRegion other : cluster.regions()) {
        long ageNanos = run.now() - run.truth.lastNanos(cell, node -> node.isIn(other));
        if (!other.equals(region)
            && cell.expiresAtMillis() > latestMillis
            && ageNanos < TimeBounds.cellLifetime(cell.series().scope())) {
          long pushed = run.world.database().count(other.name(), cell);
          long imported = region.origin().imports(cell).getOrDefault(other.name(), 0L);
          String details = " has imported " + imported + " of " + pushed + " tokens of " + other;
          boolean converged = imported >= pushed;
          run.check(Guarantee.IMPORTS_CONVERGE, converged, region, details, " in ", cell);
        }
      }
    }
  }

  private void advance(long nanos) {
    run.world.timeline().runUntil(run.now() + nanos);
  }

  /** All busy subjects, a few rare ones and a filler. */
  private List<Series> series() {
    List<Series> all = new ArrayList<>();
    run.scenario.busy().forEach(subject -> all.add(subject.series()));
    run.scenario.rare().stream().limit(FEW).forEach(subject -> all.add(subject.series()));
    int fillers = run.scenario.fillers();
    if (fillers > 0) {
      all.add(Scenario.filler(run.world.random().nextInt(fillers)));
    }
    return all;
  }

  /** The first peek causes a read; the second one counts, unless a new window has begun. */
  private void check(Series series) {
    Map<Node, Answer> first = peek(series);
    peek(series).forEach((node, second) -> {
      Answer before = first.get(node);
      if (before != null && before.cell().equals(second.cell())) {
        check(second);
      }
    });
    run.throwIfViolated();
  }

  /** Peeks at a series on all nodes, and gives them time to read their origin. */
  private Map<Node, Answer> peek(Series series) {
    LimitRequest request = new LimitRequest(series.scope(), series.identifier(), LIMIT, 0);
    Map<Node, Answer> peeks = new LinkedHashMap<>();
    for (Node node : cluster.running()) {
      referee.send(node, List.of(request)).thenAccept(all -> peeks.put(node, all.get(0)));
    }
    advance(READ_NANOS);
    return peeks;
  }

  private void check(Answer peek) {
    WindowCell cell = peek.cell();
    long nowMillis = peek.request().nowMillis();
    long current = expected(peek.node(), cell);
    long previous = expected(peek.node(), cell.previous());
    long expected = GroundTruth.effective(cell, current, previous, nowMillis);
    boolean converged = peek.decision().effectiveCount() >= expected;
    run.check(Guarantee.NODES_CONVERGE, converged, peek, ", expected: ", expected);
  }

  /** The count of a cell that a node should have: its origin has what it imports. */
  private long expected(Node node, WindowCell cell) {
    Map<String, Long> imports = node.region().origin().imports(cell);
    return cluster.regions().stream()
        .mapToLong(region -> node.isIn(region)
            ? storedInOrigin(region, cell)
            : Math.min(storedInDatabase(region, cell), imports.getOrDefault(region.name(), 0L)))
        .sum();
  }

  /** The count of an origin, checked against the counts of its nodes. */
  private long storedInOrigin(SimulatedRegion region, WindowCell cell) {
    for (Node node : cluster.running()) {
      if (node.isIn(region) && mustBeStored(node, cell)) {
        long givenUp = run.excuses.givenUpTokens(node, run.now());
        long stored = MessageCheck.stored(node, cell);
        long admitted = run.truth.ofNode(cell, node);
        boolean converged = stored <= admitted && stored >= admitted - givenUp;
        String details = " has " + stored + " of " + admitted + " tokens in " + cell;
        run.check(Guarantee.ORIGIN_CONVERGES, converged, region, details, " by ", node);
      }
    }
    return region.origin().total(cell);
  }

  /** Whether a cell is live by all clocks, and the node still has all of its own counts. */
  private boolean mustBeStored(Node node, WindowCell cell) {
    long nowMillis = Node.EPOCH_MILLIS + run.now() / Scenario.MILLI;
    long ageNanos = run.now() - run.truth.lastNanos(cell, node::equals);
    boolean mayHaveEvicted = run.scenario.isCrowded() || clockWasMoved(node);
    return ageNanos < TimeBounds.cellLifetime(cell.series().scope())
        && Math.max(nowMillis, node.millis()) < cell.expiresAtMillis()
        && !(mayHaveEvicted && run.scenario.has(FaultTrait.LOSES_ORIGIN_COUNTS))
        && cell.startMillis() <= node.millis();
  }

  /** Whether a series may have been moved back, out of a cell that the database lost afterwards. */
  private boolean mayHaveLeftLostCell(SimulatedRegion region) {
    return run.scenario.has(FaultTrait.LOSES_GLOBAL_COUNTS)
        && cluster.nodes().anyMatch(node -> node.isIn(region) && clockWasMoved(node));
  }

  private boolean clockWasMoved(Node node) {
    return run.excuses.clockMovedSince(node, 0, run.now());
  }

  /** The count that a region has pushed, checked against its policy. */
  private long storedInDatabase(SimulatedRegion region, WindowCell cell) {
    long stored = run.world.database().count(region.name(), cell);
    long ofKilledNodes =
        run.truth.sum(cell, (node, admitted) -> node.isIn(region) && node.isDead() ? admitted : 0);
    long admitted = run.truth.ofRegion(cell, region.name());
    boolean converged = ofKilledNodes > 0
        || run.scenario.isCrowded()
        || mayHaveLeftLostCell(region)
        || stored >= admitted - run.scenario.maxUnpushed(cell.series(), admitted);
    String details = " has pushed " + stored + " of " + admitted + " tokens in ";
    run.check(Guarantee.DATABASE_CONVERGES, converged, region, details, cell);
    return stored;
  }
}
