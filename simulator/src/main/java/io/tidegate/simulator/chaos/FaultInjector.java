package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.Scenario.MILLI;

import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.OriginServer;
import io.tidegate.simulator.world.Service;
import io.tidegate.simulator.world.SimulatedException;
import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Begins and ends the faults of a scenario, and offers {@link FaultKind} the places at which faults
 * act.
 */
final class FaultInjector {

  private final World world;
  private final Trace trace;
  private final Cluster cluster;
  private final List<Fault> active = new ArrayList<>();

  /** The flapping faults whose origins are down at the moment. */
  private final List<Fault> flappedDown = new ArrayList<>();

  /** The nodes whose clocks a fault has set. The node at that place may be another one later. */
  private final Map<Fault, Node> stepped = new HashMap<>();

  FaultInjector(World world, Trace trace, Cluster cluster) {
    this.world = world;
    this.trace = trace;
    this.cluster = cluster;
  }

  void schedule(List<Fault> faults) {
    for (Fault fault : faults) {
      world.timeline().at(fault.fromNanos(), () -> begin(fault));
      if (!fault.kind().isMomentary()) {
        world.timeline().at(fault.untilNanos(), () -> end(fault));
      }
    }
  }

  private void begin(Fault fault) {
    trace.add("begins: " + fault);
    if (!fault.kind().isMomentary()) {
      active.add(fault);
    }
    fault.kind().effect().begin().run(fault, this);
    impair();
  }

  private void end(Fault fault) {
    trace.add("ends: " + fault);
    active.remove(fault);
    flappedDown.remove(fault);
    fault.kind().effect().end().run(fault, this);
    impair();
  }

  /** Gives all services and links the state that follows from the active faults. */
  private void impair() {
    database().heal();
    for (int region = 0; region < cluster.regions(); region++) {
      OriginServer origin = cluster.region(region).origin();
      for (int part = 0; part < origin.parts(); part++) {
        origin.service(part).heal();
      }
      for (Node node : cluster.nodes(region)) {
        node.toDatabase().heal();
        for (int part = 0; part < origin.parts(); part++) {
          node.toOrigin(part).heal();
        }
      }
    }
    active.forEach(fault -> fault.kind().effect().impair().run(fault, this));
  }

  Cluster cluster() {
    return cluster;
  }

  Node node(Fault fault) {
    return cluster.node(fault.region(), fault.node());
  }

  Service database() {
    return world.database().service();
  }

  /** The parts of the origin that a fault affects. */
  List<Service> originParts(Fault fault) {
    OriginServer origin = cluster.region(fault.region()).origin();
    return affectedParts(fault).mapToObj(origin::service).toList();
  }

  /** The links from the node of a fault to the parts of the origin that it affects. */
  List<NetworkLink> linksToOrigin(Fault fault) {
    return affectedParts(fault).mapToObj(node(fault)::toOrigin).toList();
  }

  private IntStream affectedParts(Fault fault) {
    int parts = cluster.region(fault.region()).origin().parts();
    return IntStream.range(0, parts).filter(part -> fault.affectsPart(part, parts));
  }

  void loseCommits(long nanos) {
    world.database().loseCommitsSince(world.timeline().nowNanos() - nanos);
  }

  void stepClock(Fault fault) {
    stepped.put(fault, node(fault));
    cluster.stepClock(node(fault), fault.stepMillis());
  }

  void undoClockStep(Fault fault) {
    Node node = stepped.remove(fault);
    if (node != null) {
      cluster.stepClock(node, -fault.stepMillis());
    }
  }

  /** Takes the origin down and up in turn, while the fault is active. */
  void flap(Fault fault) {
    if (active.contains(fault)) {
      if (!flappedDown.remove(fault)) {
        flappedDown.add(fault);
      }
      impair();
      long nanos = (long) ((50 + 450 * fault.strength()) * MILLI);
      world.timeline().after(nanos, () -> flap(fault));
    }
  }

  boolean isFlappedDown(Fault fault) {
    return flappedDown.contains(fault);
  }

  /** Restarts the node every few seconds, while the fault is active. */
  void restartRepeatedly(Fault fault) {
    if (active.contains(fault)) {
      if (!isActive(FaultKind.NODE_CRASHES, fault.region(), fault.node())) {
        cluster.crash(fault);
        cluster.restart(fault);
        impair();
      }
      long nanos = (long) ((500 + 3_000 * fault.strength()) * MILLI);
      world.timeline().after(nanos, () -> restartRepeatedly(fault));
    }
  }

  boolean isActive(FaultKind kind, int region, int node) {
    return active.stream()
        .anyMatch(
            fault -> fault.kind() == kind && fault.region() == region && fault.node() == node);
  }

  private boolean isActive(FaultKind kind) {
    return active.stream().anyMatch(fault -> fault.kind() == kind);
  }

  /** Whether a fault that lets calls of a node throw applies to the current call. */
  boolean throwsNow(FaultKind kind, Node node) {
    for (Fault fault : active) {
      if (fault.kind() == kind && node(fault) == node) {
        return world.random().nextDouble() < 0.2 + fault.strength();
      }
    }
    return false;
  }

  /** Whether a push that begins now fails without effect. */
  boolean isPushRefused() {
    return isActive(FaultKind.DATABASE_DEADLOCKS) && world.random().nextInt(3) > 0;
  }

  /** Number of rows after which a pull that begins now breaks off. */
  int rowsBeforePullBreaks() {
    return isActive(FaultKind.DATABASE_BREAKS_PULLS) && world.random().nextBoolean()
        ? world.random().nextInt(4)
        : Integer.MAX_VALUE;
  }

  /** An exception or an error: adapters may throw either. */
  Throwable failure() {
    return world.random().nextBoolean()
        ? new SimulatedException("a bug")
        : new SimulatedError("an error");
  }

  /** Throws an exception or an error. */
  void fail() {
    Throwable failure = failure();
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  int choice(int choices) {
    return world.random().nextInt(choices);
  }
}
