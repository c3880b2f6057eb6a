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

/** The regions and nodes of a scenario. A node that is killed is replaced in its place. */
final class Cluster {

  private final Scenario scenario;
  private final World world;
  private final Trace trace;
  private final Referee referee;
  private final MessageCheck messageCheck;
  private final Excuses excuses;
  private final FaultInjector faults;
  private final List<SimulatedRegion> regions = new ArrayList<>();
  private final List<List<Node>> nodes = new ArrayList<>();
  private int started;

  Cluster(
      Scenario scenario,
      World world,
      Trace trace,
      Referee referee,
      MessageCheck messageCheck,
      Excuses excuses) {
    this.scenario = scenario;
    this.world = world;
    this.trace = trace;
    this.referee = referee;
    this.messageCheck = messageCheck;
    this.excuses = excuses;
    this.faults = new FaultInjector(world, trace, this);
    for (int i = 0; i < scenario.nodes().size(); i++) {
      long origin = scenario.slowestOriginNanos();
      long database = scenario.slowestDatabaseNanos();
      regions.add(world.region(
          Scenario.regionName(i),
          scenario.parts(),
          NetworkLink.Quality.of(origin / 4, origin),
          NetworkLink.Quality.of(database / 4, database)));
      nodes.add(new ArrayList<>());
    }
  }

  /** Starts all nodes within a few milliseconds, and schedules the faults. */
  void start() {
    for (int region = 0; region < regions.size(); region++) {
      for (int i = 0; i < scenario.nodes().get(region); i++) {
        nodes.get(region).add(start(region, i));
        world.timeline().runUntil(world.timeline().nowNanos() + world.random().nextInt(20_000_000));
      }
    }
    faults.schedule(scenario.faults());
  }

  private Node start(int region, int number) {
    String name = "node_" + region + "_" + started++;
    Node node = world.start(regions.get(region), name, Watched::new);
    int offset = scenario.clockOffset();
    node.stepClock(offset == 0 ? 0 : world.random().nextInt(2 * offset) - offset);
    excuses.nodeStarted(node, region, number);
    trace.add(name + " starts");
    return node;
  }

  int regions() {
    return regions.size();
  }

  SimulatedRegion region(int number) {
    return regions.get(number);
  }

  List<Node> nodes(int region) {
    return nodes.get(region);
  }

  Node node(int region, int number) {
    return nodes.get(region).get(number);
  }

  /** The nodes that can answer requests. */
  List<Node> running() {
    return nodes.stream().flatMap(List::stream).filter(Node::isRunning).toList();
  }

  void crash(Fault fault) {
    Node node = node(fault.region(), fault.node());
    long now = world.timeline().nowNanos();
    if (node.isRunning()
        && excuses.originWasReachable(fault, now)
        && !scenario.losesEvictedCounts(now)) {
      messageCheck.crashes(node);
    }
    node.crash();
  }

  /** Starts a new node in the place of a killed one. */
  void restart(Fault fault) {
    if (node(fault.region(), fault.node()).isDead()) {
      nodes.get(fault.region()).set(fault.node(), start(fault.region(), fault.node()));
    }
  }

  void wipeOrigin(Fault fault) {
    region(fault.region()).origin().wipe();
    excuses.cellsLost(fault, cell -> true);
  }

  void loseOneCell(Fault fault) {
    WindowCell lost = region(fault.region()).origin().loseOneCell(world.random());
    if (lost != null) {
      trace.add(region(fault.region()) + " loses " + Referee.text(lost));
      excuses.cellsLost(fault, lost::equals);
    }
  }

  void stepClock(Node node, long millis) {
    node.stepClock(millis);
    referee.clockStepped(node, millis);
  }

  /**
   * Wraps adapters and observer of a node, so that checks see all messages and faults disturb them.
   */
  private final class Watched implements World.NodeCustomizer {

    private final Node node;

    Watched(Node node) {
      this.node = node;
    }

    @Override
    public RateLimiter.Builder limiter(RateLimiter.Builder builder) {
      return builder
          .maxSeries(scenario.maxSeries())
          .pushPolicy(scenario.policy().pushPolicy())
          .observer(new WatchedObserver(node, referee, faults));
    }

    @Override
    public RegionalOrigin origin(RegionalOrigin origin) {
      return new WatchedOrigin(node, referee, messageCheck, faults, scenario.isCrowded(), origin);
    }

    @Override
    public @Nullable GlobalCounters counters(GlobalCounters counters) {
      return scenario.alone()
          ? null
          : new WatchedCounters(
              node, referee, messageCheck, faults, scenario.isCrowded(), counters);
    }
  }
}
