package io.tidegate.simulator.chaos;

import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The regions and nodes of a scenario. A node that is killed is replaced in its place. */
final class Cluster {

  private final RunContext run;
  private final Referee referee;
  private final MessageCheck messages;
  private final FaultInjector faults;
  private final List<SimulatedRegion> regions = new ArrayList<>();
  private final List<List<Node>> nodes = new ArrayList<>();
  private int started;

  Cluster(RunContext run, Referee referee) {
    this.run = run;
    Scenario scenario = run.scenario;
    this.referee = referee;
    this.messages = new MessageCheck(run);
    this.faults = new FaultInjector(run, this, referee);
    NetworkLink.Quality toOrigin = link(scenario.slowestOriginNanos());
    NetworkLink.Quality toDatabase = link(scenario.slowestDatabaseNanos());
    for (int i = 0; i < scenario.nodes().size(); i++) {
      String name = Scenario.regionName(i);
      regions.add(run.world.region(name, scenario.parts(), toOrigin, toDatabase));
      nodes.add(new ArrayList<>());
    }
  }

  private static NetworkLink.Quality link(long slowestNanos) {
    return NetworkLink.Quality.of(slowestNanos / 4, slowestNanos);
  }

  /** Starts all nodes within a few milliseconds, and schedules the faults. */
  void start() {
    for (int region = 0; region < regions.size(); region++) {
      for (int i = 0; i < run.scenario.nodes().get(region); i++) {
        nodes.get(region).add(start(region, i));
        run.world.timeline().runUntil(run.now() + run.world.random().nextInt(20_000_000));
      }
    }
    faults.schedule(run.scenario.faults());
  }

  private Node start(int region, int number) {
    String name = "node_" + region + "_" + started++;
    Node node = run.world.start(regions.get(region), name, this::watched);
    int offset = run.scenario.clockOffset();
    node.stepClock(offset == 0 ? 0 : run.world.random().nextInt(2 * offset) - offset);
    run.excuses.nodeStarted(node, region, number);
    run.trace(name + " starts");
    return node;
  }

  private WatchedNode watched(Node node) {
    return new WatchedNode(node, run.scenario, referee, messages, faults);
  }

  List<SimulatedRegion> regions() {
    return regions;
  }

  List<Node> nodes(int region) {
    return nodes.get(region);
  }

  Node node(int region, int number) {
    return nodes.get(region).get(number);
  }

  Stream<Node> nodes() {
    return nodes.stream().flatMap(List::stream);
  }

  /** The nodes that can answer requests. */
  List<Node> running() {
    return nodes().filter(Node::isRunning).toList();
  }

  void crash(Fault fault) {
    Node node = node(fault.region(), fault.node());
    if (node.isRunning()
        && run.excuses.originWasReachable(fault, run.now())
        && !run.scenario.losesEvictedCounts(run.now())) {
      messages.crashes(node);
    }
    node.crash();
  }

  /** Starts a new node in the place of a killed one. */
  void restart(Fault fault) {
    if (node(fault.region(), fault.node()).isDead()) {
      nodes.get(fault.region()).set(fault.node(), start(fault.region(), fault.node()));
    }
  }
}
