package io.tidegate.simulator.chaos;

import io.tidegate.RateLimiter;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.RegionalOrigin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes that a plan wants, by region; each place has one node after another. */
final class Cluster {

  /**
   * How long the origin must have been well for its node's counts to be safe there: one that lost
   * its memory again and again is told every eight seconds.
   */
  private static final long WELL_NANOS = 12 * Scenario.SECOND;

  private final Scenario plan;
  private final World world;
  private final Trace trace;
  private final Referee referee;
  private final Excuses excuses;
  private final FaultInjector faults;
  private final List<SimulatedRegion> regions = new ArrayList<>();
  private final List<List<Node>> nodes = new ArrayList<>();
  private int started;

  Cluster(Scenario plan, World world, Trace trace, Referee referee, Excuses excuses) {
    this.plan = plan;
    this.world = world;
    this.trace = trace;
    this.referee = referee;
    this.excuses = excuses;
    this.faults = new FaultInjector(world, trace, this);
    for (int i = 0; i < plan.nodes().size(); i++) {
      regions.add(world.region(
          Scenario.regionName(i),
          plan.parts(),
          NetworkLink.Quality.of(plan.slowestOriginNanos() / 4, plan.slowestOriginNanos()),
          NetworkLink.Quality.of(plan.slowestDatabaseNanos() / 4, plan.slowestDatabaseNanos())));
      nodes.add(new ArrayList<>());
    }
  }

  /** Starts all nodes, not quite at the same time, and plans what goes wrong. */
  void begin() {
    for (int region = 0; region < regions.size(); region++) {
      for (int i = 0; i < plan.nodes().get(region); i++) {
        nodes.get(region).add(start(region, i));
        world.timeline().runUntil(world.timeline().nowNanos() + world.random().nextInt(20_000_000));
      }
    }
    faults.schedule(plan.faults());
  }

  private Node start(int region, int number) {
    String name = "node_" + region + "_" + started++;
    Node node = world.start(regions.get(region), name, Watched::new);
    int offset = plan.clockOffset();
    node.stepClock(offset == 0 ? 0 : world.random().nextInt(2 * offset) - offset);
    excuses.starts(node, region, number);
    trace.tell(name + " starts");
    return node;
  }

  int regions() {
    return regions.size();
  }

  SimulatedRegion region(int number) {
    return regions.get(number);
  }

  int nodes(int region) {
    return nodes.get(region).size();
  }

  Node node(int region, int number) {
    return nodes.get(region).get(number);
  }

  /** Those that can be asked. */
  List<Node> running() {
    return nodes.stream().flatMap(List::stream).filter(Node::isRunning).toList();
  }

  void crash(Fault fault) {
    Node node = node(fault.region(), fault.node());
    long now = world.timeline().nowNanos();
    boolean evictedAndLost = plan.isCrowded()
        && (plan.had(Fault.Kind.ORIGIN_WIPED, now)
            || plan.had(Fault.Kind.ORIGIN_LOSES_A_CELL, now));
    if (node.isRunning() && excuses.reachedOrigin(fault, now, WELL_NANOS) && !evictedAndLost) {
      referee.crashes(node);
    }
    node.crash();
  }

  /** Another node in its place. */
  void restart(Fault fault) {
    if (node(fault.region(), fault.node()).isDead()) {
      nodes.get(fault.region()).set(fault.node(), start(fault.region(), fault.node()));
    }
  }

  void loseOneCell(Fault fault) {
    WindowCell lost = region(fault.region()).origin().loseOneCell(world.random());
    if (lost != null) {
      trace.tell(region(fault.region()) + " loses " + Referee.words(lost));
      excuses.loses(fault, lost);
    }
  }

  void stepClock(Node node, long millis) {
    node.stepClock(millis);
    referee.clockSet(node, millis);
  }

  /** Lets the referee see all that goes in and out. */
  private final class Watched implements World.NodeCustomizer {

    private final Node node;

    Watched(Node node) {
      this.node = node;
    }

    @Override
    public RateLimiter.Builder limiter(RateLimiter.Builder builder) {
      return builder
          .maxSeries(plan.maxSeries())
          .pushPolicy(plan.policy().pushPolicy())
          .observer(new WatchedObserver(node, referee, faults, trace));
    }

    @Override
    public RegionalOrigin origin(RegionalOrigin origin) {
      return new WatchedOrigin(node, referee, faults, plan.isCrowded(), origin);
    }

    @Override
    public @Nullable GlobalCounters counters(GlobalCounters counters) {
      return plan.alone()
          ? null
          : new WatchedCounters(node, referee, faults, plan.isCrowded(), counters);
    }
  }
}
