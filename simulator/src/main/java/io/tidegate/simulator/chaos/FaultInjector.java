package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.Scenario.MILLI;
import static io.tidegate.simulator.chaos.Scenario.SECOND;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Service;
import io.tidegate.simulator.world.Service.State;
import io.tidegate.simulator.world.SimulatedException;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Begins and ends the faults of a scenario. */
final class FaultInjector {

  /** An error that an adapter or an observer throws. Has no stack trace. */
  private static final class SimulatedError extends Error {

    private static final long serialVersionUID = 1;

    SimulatedError() {
      super("an error", null, false, false);
    }
  }

  private final RunContext run;
  private final World world;
  private final Cluster cluster;
  private final Referee referee;
  private final List<Fault> active = new ArrayList<>();

  /** The flapping faults whose origins are down at the moment. */
  private final List<Fault> flappedDown = new ArrayList<>();

  /** The nodes whose clocks a fault has set. The node at that place may be another one later. */
  private final Map<Fault, Node> stepped = new HashMap<>();

  FaultInjector(RunContext run, Cluster cluster, Referee referee) {
    this.run = run;
    this.world = run.world;
    this.cluster = cluster;
    this.referee = referee;
  }

  void schedule(List<Fault> faults) {
    for (Fault fault : faults) {
      world.timeline().at(fault.fromNanos(), () -> begin(aimed(fault)));
    }
  }

  /** A fault of the reader becomes one of the node that is the reader now. */
  private Fault aimed(Fault fault) {
    if (!fault.kind().isOfReader()) {
      return fault;
    }
    List<Node> nodes = cluster.nodes(fault.region());
    int reader = region(fault)
        .origin()
        .reader()
        .map(name -> IntStream.range(0, nodes.size())
            .filter(i -> nodes.get(i).name().equals(name))
            .findFirst()
            .orElse(fault.node())) // a killed node still holds the lease
        .orElse(fault.node());
    Fault aimed = fault.at(reader);
    run.excuses.aimed(fault, aimed);
    return aimed;
  }

  private void begin(Fault fault) {
    run.trace("begins: " + fault);
    if (!fault.has(FaultTrait.MOMENTARY)) {
      active.add(fault);
      world.timeline().at(fault.untilNanos(), () -> end(fault));
    }
    double strength = fault.strength();
    switch (fault.kind()) {
      case ORIGIN_FLAPS -> repeat(fault, 50 + 450 * strength, () -> flap(fault));
      case ORIGIN_WIPED -> {
        region(fault).origin().wipe();
        run.excuses.cellsLost(fault, cell -> true);
      }
      case ORIGIN_LOSES_A_CELL -> loseOneCell(fault);
      case READER_LEASE_LOST -> region(fault).origin().loseReader();
      case DATABASE_LOSES_COMMITS ->
        world.database().loseCommitsSince(run.now() - (long) (strength * 9 * SECOND));
      case NODE_CRASHES -> cluster.crash(fault);
      case NODE_RESTARTS -> repeat(fault, 500 + 3_000 * strength, () -> restart(fault));
      case NODE_FREEZES -> node(fault).freeze();
      case CLOCK_STEPS, CLOCK_SET_BACK, CLOCK_GLITCH_AHEAD -> {
        stepped.put(fault, node(fault));
        stepClock(node(fault), fault.stepMillis());
      }
      case CLOCK_DRIFTS -> node(fault).driftClock((long) ((strength - 0.5) * 100_000));
      default -> {} // acts as long as it is active
    }
    impairAll();
  }

  private void end(Fault fault) {
    run.trace("ends: " + fault);
    active.remove(fault);
    flappedDown.remove(fault);
    boolean continued = isActive(fault.kind(), fault);
    Node glitched = stepped.remove(fault);
    if (glitched != null) {
      stepClock(glitched, -fault.stepMillis());
    } else if (fault.kind() == FaultKind.NODE_CRASHES && !continued) {
      cluster.restart(fault);
    } else if (fault.kind() == FaultKind.NODE_FREEZES && !continued) {
      node(fault).thaw();
    } else if (fault.kind() == FaultKind.CLOCK_DRIFTS && !continued) {
      node(fault).driftClock(0);
    }
    impairAll();
  }

  /** Gives all services and links the state that follows from the active faults. */
  private void impairAll() {
    world.database().service().heal();
    cluster.regions().forEach(region -> region.origin().heal());
    cluster.nodes().forEach(Node::healLinks);
    active.forEach(this::impair);
  }

  /** Of several impairments of the same service or link the worst one counts. */
  private void impair(Fault fault) {
    Service database = world.database().service();
    double strength = fault.strength();
    switch (fault.kind()) {
      case ORIGIN_REFUSES, ORIGIN_PART_REFUSES -> worsenOrigin(fault, State.REFUSING);
      case ORIGIN_SILENT, ORIGIN_PART_SILENT -> worsenOrigin(fault, State.SILENT);
      case ORIGIN_SLOW, ORIGIN_PART_SLOW ->
        origin(fault).forEach(part -> part.slowDown((long) (strength * 800 * MILLI)));
      case ORIGIN_FLAPS ->
        worsenOrigin(fault, flappedDown.contains(fault) ? State.REFUSING : State.UP);
      case ORIGIN_LINK_BAD -> linksToOrigin(fault).forEach(link -> link.degrade(strength));
      case ORIGIN_LINK_CUT, ORIGIN_PART_LINK_CUT -> linksToOrigin(fault).forEach(NetworkLink::cut);
      case DATABASE_REFUSES -> database.worsen(State.REFUSING);
      case DATABASE_SILENT -> database.worsen(State.SILENT);
      case DATABASE_SLOW -> database.slowDown((long) (strength * 12_000 * MILLI));
      case DATABASE_LINK_BAD -> node(fault).toDatabase().degrade(strength);
      case DATABASE_LINK_CUT -> node(fault).toDatabase().cut();
      case REGION_CUT_OFF ->
        cluster.nodes(fault.region()).forEach(node -> node.toDatabase().cut());
      default -> {} // impairs no service and no link
    }
  }

  private Node node(Fault fault) {
    return cluster.node(fault.region(), fault.node());
  }

  private SimulatedRegion region(Fault fault) {
    return cluster.regions().get(fault.region());
  }

  private void worsenOrigin(Fault fault, State state) {
    origin(fault).forEach(part -> part.worsen(state));
  }

  /** The parts of the origin that a fault affects. */
  private Stream<Service> origin(Fault fault) {
    return affectedParts(fault).mapToObj(region(fault).origin()::service);
  }

  /** The links from the node of a fault to the parts of the origin that it affects. */
  private Stream<NetworkLink> linksToOrigin(Fault fault) {
    return affectedParts(fault).mapToObj(node(fault)::toOrigin);
  }

  private IntStream affectedParts(Fault fault) {
    int parts = run.scenario.parts();
    return IntStream.range(0, parts).filter(part -> fault.affectsPart(part, parts));
  }

  private void loseOneCell(Fault fault) {
    WindowCell lost = region(fault).origin().loseOneCell(world.random());
    if (lost != null) {
      run.trace(region(fault) + " loses " + Referee.text(lost));
      run.excuses.cellsLost(fault, lost::equals);
    }
  }

  private void stepClock(Node node, long millis) {
    node.stepClock(millis);
    if (millis < 0) {
      referee.model(node).clockSetBack(node.millis() - millis);
    }
  }

  /** Repeats an action at an interval, while a fault is active. */
  private void repeat(Fault fault, double millis, Runnable action) {
    if (active.contains(fault)) {
      action.run();
      world.timeline().after((long) (millis * MILLI), () -> repeat(fault, millis, action));
    }
  }

  /** Takes the origin down, or up again. */
  private void flap(Fault fault) {
    if (!flappedDown.remove(fault)) {
      flappedDown.add(fault);
    }
    impairAll();
  }

  private void restart(Fault fault) {
    if (!isActive(FaultKind.NODE_CRASHES, fault)) {
      cluster.crash(fault);
      cluster.restart(fault);
      impairAll();
    }
  }

  /** Whether a fault of a kind is active at the node of another fault. */
  private boolean isActive(FaultKind kind, Fault place) {
    return active.stream()
        .anyMatch(fault -> fault.kind() == kind
            && fault.region() == place.region()
            && fault.node() == place.node());
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
    return isActive(FaultKind.DATABASE_DEADLOCKS) && choice(3) > 0;
  }

  /** Number of rows after which a pull that begins now breaks off. */
  int rowsBeforePullBreaks() {
    return isActive(FaultKind.DATABASE_BREAKS_PULLS) && world.random().nextBoolean()
        ? choice(4)
        : Integer.MAX_VALUE;
  }

  /** An exception or an error: adapters may throw either. */
  Throwable failure() {
    return world.random().nextBoolean() ? new SimulatedException("a bug") : new SimulatedError();
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
