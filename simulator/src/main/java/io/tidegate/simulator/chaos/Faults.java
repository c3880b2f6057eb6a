package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.Plan.MILLI;

import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Link;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.RegionOfNodes;
import io.tidegate.simulator.world.Service;
import io.tidegate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets go wrong what a plan says. Several faults of one thing add up, and it is well after the
 * last.
 */
final class Faults {

  private static final long LATEST = 2_000 * MILLI;

  private final World world;
  private final Trace trace;
  private final Crew crew;
  private final List<Fault> active = new ArrayList<>();

  /** Those who flap, and are down just now. */
  private final List<Fault> down = new ArrayList<>();

  Faults(World world, Trace trace, Crew crew) {
    this.world = world;
    this.trace = trace;
    this.crew = crew;
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
      case ORIGIN_WIPED -> crew.region(fault.region()).origin().wipe();
      case DATABASE_LOSES_COMMITS ->
        world
            .database()
            .loseCommitsSince(
                world.timeline().nowNanos() - (long) (fault.strength() * 3 * Plan.SECOND));
      case CLOCK_STEPS -> crew.node(fault.region(), fault.node()).stepClock(fault.stepMillis());
      case CLOCK_DRIFTS ->
        crew.node(fault.region(), fault.node())
            .driftClock((long) ((fault.strength() - 0.5) * 100_000));
      case NODE_CRASHES -> crew.crash(fault);
      case NODE_FREEZES -> crew.node(fault.region(), fault.node()).freeze();
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
    }
  }

  private void end(Fault fault) {
    trace.tell("is over: " + fault);
    active.remove(fault);
    down.remove(fault);
    if (!is(fault.kind(), fault.region(), fault.node())) { // or another of them goes on
      switch (fault.kind()) {
        case CLOCK_DRIFTS -> crew.node(fault.region(), fault.node()).driftClock(0);
        case NODE_CRASHES -> crew.restart(fault);
        case NODE_FREEZES -> crew.node(fault.region(), fault.node()).thaw();
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

  /** How many rows a pull brings that begins now, if it breaks. */
  int rowsBeforePullBreaks() {
    return is(Fault.Kind.DATABASE_BREAKS_PULLS) && world.random().nextBoolean()
        ? world.random().nextInt(4)
        : Integer.MAX_VALUE;
  }

  /** Whether the part of an origin is gone that would have to know a count, as of a cluster. */
  boolean isPartGone(Node node, WindowCell cell) {
    int part = cell.series().identifier().hashCode() & 1;
    return part == 0 && is(Fault.Kind.ORIGIN_PART_GONE, crew.numberOf(node.region()));
  }

  /** Whether a push that begins now fails, with nothing done. */
  boolean isPushRefused() {
    return is(Fault.Kind.DATABASE_DEADLOCKS) && world.random().nextInt(3) > 0;
  }

  /** Gives everything the state that all active faults together make. */
  private void apply() {
    for (int i = 0; i < crew.regions(); i++) {
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
    RegionOfNodes region = crew.region(number);
    Service origin = region.origin().service();
    boolean refusing = is(Fault.Kind.ORIGIN_REFUSES, number)
        || down.stream().anyMatch(fault -> fault.region() == number);
    origin.become(
        is(Fault.Kind.ORIGIN_SILENT, number)
            ? Service.State.SILENT
            : refusing ? Service.State.REFUSING : Service.State.UP);
    origin.takeNanos((long) (strength(Fault.Kind.ORIGIN_SLOW, number) * 800 * MILLI));
    for (int i = 0; i < crew.nodes(number); i++) {
      Node node = crew.node(number, i);
      node.toOrigin()
          .become(quality(
              region.toOrigin(),
              strength(Fault.Kind.ORIGIN_LINK_BAD, number, i),
              is(Fault.Kind.ORIGIN_LINK_CUT, number, i)));
      node.toDatabase()
          .become(quality(
              region.toDatabase(),
              strength(Fault.Kind.DATABASE_LINK_BAD, number, i),
              is(Fault.Kind.DATABASE_LINK_CUT, number, i)
                  || is(Fault.Kind.REGION_CUT_OFF, number)));
    }
  }

  private static Link.Quality quality(Link.Quality well, double bad, boolean cut) {
    if (cut) {
      return new Link.Quality(well.shortestNanos(), well.longestNanos(), 1, 0);
    }
    return bad == 0
        ? well
        : new Link.Quality(
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
    return active.stream()
        .filter(fault -> fault.kind() == kind)
        .mapToDouble(Fault::strength)
        .max()
        .orElse(0);
  }

  private double strength(Fault.Kind kind, int region) {
    return active.stream()
        .filter(fault -> fault.kind() == kind && fault.region() == region)
        .mapToDouble(Fault::strength)
        .max()
        .orElse(0);
  }

  private double strength(Fault.Kind kind, int region, int node) {
    return active.stream()
        .filter(fault -> fault.kind() == kind && fault.region() == region && fault.node() == node)
        .mapToDouble(Fault::strength)
        .max()
        .orElse(0);
  }
}
