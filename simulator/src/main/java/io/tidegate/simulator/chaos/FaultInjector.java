package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.Scenario.MILLI;

import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Service;
import io.tidegate.simulator.world.SimulatedException;
import io.tidegate.simulator.world.SimulatedRegion;
import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Lets go wrong what a plan says. Several faults of one thing add up, and it is well after the
 * last.
 */
final class FaultInjector {

  private static final long LATEST = 2_000 * MILLI;

  private final World world;
  private final Trace trace;
  private final Cluster cluster;
  private final List<Fault> active = new ArrayList<>();

  /** Those who flap, and are down just now. */
  private final List<Fault> down = new ArrayList<>();

  /** The nodes whose clocks are ahead for a moment. */
  private final Map<Fault, Node> ahead = new HashMap<>();

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
    trace.tell("begins: " + fault);
    switch (fault.kind()) {
      case ORIGIN_WIPED -> cluster.region(fault.region()).origin().wipe();
      case DATABASE_LOSES_COMMITS ->
        world
            .database()
            .loseCommitsSince(
                world.timeline().nowNanos() - (long) (fault.strength() * 3 * Scenario.SECOND));
      case ORIGIN_LOSES_A_CELL -> cluster.loseOneCell(fault);
      case CLOCK_STEPS, CLOCK_SET_BACK -> cluster.stepClock(node(fault), fault.stepMillis());
      case CLOCK_GLITCH_AHEAD -> {
        ahead.put(fault, node(fault));
        cluster.stepClock(node(fault), fault.stepMillis());
      }
      case CLOCK_DRIFTS -> node(fault).driftClock((long) ((fault.strength() - 0.5) * 100_000));
      case NODE_CRASHES -> cluster.crash(fault);
      case NODE_FREEZES -> node(fault).freeze();
      default -> {
        // is applied below
      }
    }
    if (!fault.kind().isMomentary()) {
      active.add(fault);
    }
    apply();
    if (fault.kind() == Fault.Kind.ORIGIN_FLAPS) {
      flap(fault);
    } else if (fault.kind() == Fault.Kind.NODE_RESTARTS) {
      restart(fault);
    }
  }

  private void end(Fault fault) {
    trace.tell("is over: " + fault);
    active.remove(fault);
    down.remove(fault);
    if (fault.kind() == Fault.Kind.CLOCK_GLITCH_AHEAD) {
      cluster.stepClock(ahead.remove(fault), -fault.stepMillis());
    }
    if (!is(fault.kind(), fault.region(), fault.node())) { // or another of them goes on
      switch (fault.kind()) {
        case CLOCK_DRIFTS -> node(fault).driftClock(0);
        case NODE_CRASHES -> cluster.restart(fault);
        case NODE_FREEZES -> node(fault).thaw();
        default -> {
          // as it was before
        }
      }
    }
    apply();
  }

  private void flap(Fault fault) {
    if (active.contains(fault)) {
      if (!down.remove(fault)) {
        down.add(fault);
      }
      apply();
      long nanos = (long) ((50 + 450 * fault.strength()) * MILLI);
      world.timeline().after(nanos, () -> flap(fault));
    }
  }

  /** One life after another, of a few seconds each. */
  private void restart(Fault fault) {
    if (active.contains(fault)) {
      if (!is(Fault.Kind.NODE_CRASHES, fault.region(), fault.node())) {
        cluster.crash(fault);
        cluster.restart(fault);
        apply();
      }
      long nanos = (long) ((500 + 3_000 * fault.strength()) * MILLI);
      world.timeline().after(nanos, () -> restart(fault));
    }
  }

  private Node node(Fault fault) {
    return cluster.node(fault.region(), fault.node());
  }

  /** How many rows a pull brings that begins now, if it breaks. */
  int rowsBeforePullBreaks() {
    return is(Fault.Kind.DATABASE_BREAKS_PULLS) && world.random().nextBoolean()
        ? world.random().nextInt(4)
        : Integer.MAX_VALUE;
  }

  /** Whether the client of the origin that a node uses throws now. */
  boolean originClientThrows(Node node) {
    return throwsNow(Fault.Kind.ORIGIN_CLIENT_THROWS, node);
  }

  /** Whether the client of the database that a node uses throws now. */
  boolean databaseClientThrows(Node node) {
    return throwsNow(Fault.Kind.DATABASE_CLIENT_THROWS, node);
  }

  /** Whether the observer of a node throws now. */
  boolean observerThrows(Node node) {
    return throwsNow(Fault.Kind.OBSERVER_THROWS, node);
  }

  private boolean throwsNow(Fault.Kind kind, Node node) {
    for (Fault fault : active) {
      if (fault.kind() == kind && node(fault) == node) {
        return world.random().nextDouble() < 0.2 + fault.strength();
      }
    }
    return false;
  }

  /** An exception or an error, either of which an adapter may throw. */
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

  /** Whether a push that begins now fails, with nothing done. */
  boolean isPushRefused() {
    return is(Fault.Kind.DATABASE_DEADLOCKS) && world.random().nextInt(3) > 0;
  }

  /** Gives everything the state that all active faults together make. */
  private void apply() {
    for (int i = 0; i < cluster.regions(); i++) {
      applyToRegion(i);
    }
    Service database = world.database().service();
    database.become(
        is(Fault.Kind.DATABASE_SILENT)
            ? Service.State.SILENT
            : is(Fault.Kind.DATABASE_REFUSES) ? Service.State.REFUSING : Service.State.UP);
    database.takeNanos((long) (strength(Fault.Kind.DATABASE_SLOW) * 12_000 * MILLI));
  }

  private void applyToRegion(int number) {
    SimulatedRegion region = cluster.region(number);
    for (int part = 0; part < region.origin().parts(); part++) {
      applyToPart(number, part);
    }
    for (int i = 0; i < cluster.nodes(number); i++) {
      Node node = cluster.node(number, i);
      for (int part = 0; part < region.origin().parts(); part++) {
        node.toOrigin(part)
            .become(quality(
                region.toOrigin(),
                strength(Fault.Kind.ORIGIN_LINK_BAD, number, i),
                is(Fault.Kind.ORIGIN_LINK_CUT, number, i)
                    || partStrength(Fault.Kind.ORIGIN_PART_LINK_CUT, number, part, i) > 0));
      }
      node.toDatabase()
          .become(quality(
              region.toDatabase(),
              strength(Fault.Kind.DATABASE_LINK_BAD, number, i),
              is(Fault.Kind.DATABASE_LINK_CUT, number, i)
                  || is(Fault.Kind.REGION_CUT_OFF, number)));
    }
  }

  private void applyToPart(int number, int part) {
    Service origin = cluster.region(number).origin().service(part);
    boolean refusing = is(Fault.Kind.ORIGIN_REFUSES, number)
        || partStrength(Fault.Kind.ORIGIN_PART_REFUSES, number, part) > 0
        || down.stream().anyMatch(fault -> fault.region() == number);
    boolean silent = is(Fault.Kind.ORIGIN_SILENT, number)
        || partStrength(Fault.Kind.ORIGIN_PART_SILENT, number, part) > 0;
    origin.become(
        silent ? Service.State.SILENT : refusing ? Service.State.REFUSING : Service.State.UP);
    double slow = Math.max(
        strength(Fault.Kind.ORIGIN_SLOW, number),
        partStrength(Fault.Kind.ORIGIN_PART_SLOW, number, part));
    origin.takeNanos((long) (slow * 800 * MILLI));
  }

  private static NetworkLink.Quality quality(NetworkLink.Quality well, double bad, boolean cut) {
    if (cut) {
      return new NetworkLink.Quality(well.shortestNanos(), well.longestNanos(), 1, 0);
    }
    return bad == 0
        ? well
        : new NetworkLink.Quality(
            well.shortestNanos(),
            well.longestNanos() + (long) (bad * LATEST),
            bad / 2,
            (1 - bad) / 2);
  }

  private boolean is(Fault.Kind kind) {
    return strength(kind) > 0;
  }

  private boolean is(Fault.Kind kind, int region) {
    return strength(kind, region) > 0;
  }

  private boolean is(Fault.Kind kind, int region, int node) {
    return strength(kind, region, node) > 0;
  }

  private double strength(Fault.Kind kind) {
    return strongest(fault -> fault.kind() == kind);
  }

  private double strength(Fault.Kind kind, int region) {
    return strongest(fault -> fault.kind() == kind && fault.region() == region);
  }

  private double strength(Fault.Kind kind, int region, int node) {
    return strongest(
        fault -> fault.kind() == kind && fault.region() == region && fault.node() == node);
  }

  private double partStrength(Fault.Kind kind, int region, int part) {
    return strongest(fault -> fault.kind() == kind
        && fault.region() == region
        && fault.part(cluster.region(region).origin().parts()) == part);
  }

  private double partStrength(Fault.Kind kind, int region, int part, int node) {
    return strongest(fault -> fault.kind() == kind
        && fault.region() == region
        && fault.node() == node
        && fault.part(cluster.region(region).origin().parts()) == part);
  }

  private double strongest(Predicate<Fault> which) {
    return active.stream().filter(which).mapToDouble(Fault::strength).max().orElse(0);
  }
}
