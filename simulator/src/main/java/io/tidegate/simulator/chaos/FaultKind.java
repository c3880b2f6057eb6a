package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.FaultTrait.DELAYS_REPLAYS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS_OF_NODE;
import static io.tidegate.simulator.chaos.FaultTrait.FOUND_BY_LOSS_CHECK;
import static io.tidegate.simulator.chaos.FaultTrait.LOSES_GLOBAL_COUNTS;
import static io.tidegate.simulator.chaos.FaultTrait.LOSES_ORIGIN_COUNTS;
import static io.tidegate.simulator.chaos.FaultTrait.MOVES_CLOCK;
import static io.tidegate.simulator.chaos.FaultTrait.ONE_PART;
import static io.tidegate.simulator.chaos.FaultTrait.STALLS_DATABASE_CALLS;
import static io.tidegate.simulator.chaos.Scenario.MILLI;
import static io.tidegate.simulator.chaos.Scenario.SECOND;

import io.tidegate.simulator.world.NetworkLink;
import io.tidegate.simulator.world.Service.State;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The kinds of faults. A constant states the effect of a fault on the world and, by its
 * {@linkplain FaultTrait traits}, what the referee excuses because of it.
 *
 * <p>A new kind is a new constant. Scenarios draw from all constants by position, so a new constant
 * changes the meaning of all seeds; append it at the end of its group all the same.
 */
enum FaultKind {
  ORIGIN_REFUSES(during(FaultKind::refuse), DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_SILENT(during(FaultKind::silence), DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_SLOW(during(FaultKind::slowDown), DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_FLAPS(
      new Effect(
          (fault, injector) -> injector.flap(fault),
          (fault, injector) -> {
            if (injector.isFlappedDown(fault)) {
              refuse(fault, injector);
            }
          },
          Action.NONE),
      DELAYS_REPLAYS,
      FAILS_READS),
  ORIGIN_PART_REFUSES(during(FaultKind::refuse), ONE_PART, DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_PART_SILENT(during(FaultKind::silence), ONE_PART, DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_PART_SLOW(during(FaultKind::slowDown), ONE_PART, DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_PART_LINK_CUT(during(FaultKind::cut), ONE_PART, DELAYS_REPLAYS, FAILS_READS_OF_NODE),
  ORIGIN_WIPED(
      once((fault, injector) -> injector.cluster().wipeOrigin(fault)),
      DELAYS_REPLAYS,
      LOSES_ORIGIN_COUNTS),
  ORIGIN_LOSES_A_CELL(
      once((fault, injector) -> injector.cluster().loseOneCell(fault)),
      DELAYS_REPLAYS,
      LOSES_ORIGIN_COUNTS,
      FOUND_BY_LOSS_CHECK),
  ORIGIN_LINK_BAD(
      during((fault, injector) ->
          injector.linksToOrigin(fault).forEach(link -> link.degrade(fault.strength()))),
      DELAYS_REPLAYS,
      FAILS_READS_OF_NODE),
  ORIGIN_LINK_CUT(during(FaultKind::cut), DELAYS_REPLAYS, FAILS_READS_OF_NODE),
  /** The adapter throws or completes exceptionally; see {@link WatchedOrigin}. */
  ORIGIN_CLIENT_THROWS(Effect.NONE, DELAYS_REPLAYS, FAILS_READS_OF_NODE),

  DATABASE_REFUSES(during((fault, injector) -> injector.database().worsen(State.REFUSING))),
  DATABASE_SILENT(
      during((fault, injector) -> injector.database().worsen(State.SILENT)), STALLS_DATABASE_CALLS),
  DATABASE_SLOW(
      during((fault, injector) ->
          injector.database().slowDown((long) (fault.strength() * 12_000 * MILLI))),
      STALLS_DATABASE_CALLS),
  /** Two of three pushes fail without effect; see {@link WatchedCounters}. */
  DATABASE_DEADLOCKS(Effect.NONE),
  /** Half of the pulls break off after a few rows; see {@link WatchedCounters}. */
  DATABASE_BREAKS_PULLS(Effect.NONE),
  DATABASE_LOSES_COMMITS(
      once((fault, injector) -> injector.loseCommits((long) (fault.strength() * 3 * SECOND))),
      LOSES_GLOBAL_COUNTS),
  DATABASE_LINK_BAD(
      during((fault, injector) -> injector.node(fault).toDatabase().degrade(fault.strength())),
      STALLS_DATABASE_CALLS),
  DATABASE_LINK_CUT(
      during((fault, injector) -> injector.node(fault).toDatabase().cut()), STALLS_DATABASE_CALLS),
  /** The adapter throws or completes exceptionally; see {@link WatchedCounters}. */
  DATABASE_CLIENT_THROWS(Effect.NONE),
  REGION_CUT_OFF(
      during((fault, injector) -> injector
          .cluster()
          .nodes(fault.region())
          .forEach(node -> node.toDatabase().cut())),
      STALLS_DATABASE_CALLS),

  NODE_CRASHES(
      new Effect(
          (fault, injector) -> injector.cluster().crash(fault),
          Action.NONE,
          unlessContinued((fault, injector) -> injector.cluster().restart(fault))),
      DELAYS_REPLAYS),
  NODE_RESTARTS(
      new Effect((fault, injector) -> injector.restartRepeatedly(fault), Action.NONE, Action.NONE),
      DELAYS_REPLAYS),
  NODE_FREEZES(
      new Effect(
          (fault, injector) -> injector.node(fault).freeze(),
          Action.NONE,
          unlessContinued((fault, injector) -> injector.node(fault).thaw())),
      DELAYS_REPLAYS,
      FAILS_READS_OF_NODE),
  /** The observer of a node throws; see {@link WatchedObserver}. */
  OBSERVER_THROWS(Effect.NONE),

  CLOCK_STEPS(once((fault, injector) -> injector.stepClock(fault)), MOVES_CLOCK) {
    @Override
    long clockStepMillis(double strength) {
      return (long) ((strength - 0.5) * 180_000); // up to 90 s forward or back
    }
  },
  CLOCK_DRIFTS(
      new Effect(
          (fault, injector) ->
              injector.node(fault).driftClock((long) ((fault.strength() - 0.5) * 100_000)),
          Action.NONE,
          unlessContinued((fault, injector) -> injector.node(fault).driftClock(0))),
      MOVES_CLOCK),
  CLOCK_SET_BACK(once((fault, injector) -> injector.stepClock(fault)), MOVES_CLOCK) {
    @Override
    long clockStepMillis(double strength) {
      return -largeStepMillis(strength);
    }
  },
  CLOCK_GLITCH_AHEAD(
      new Effect(
          (fault, injector) -> injector.stepClock(fault),
          Action.NONE,
          (fault, injector) -> injector.undoClockStep(fault)),
      MOVES_CLOCK) {
    @Override
    long clockStepMillis(double strength) {
      return largeStepMillis(strength);
    }

    @Override
    long longestNanos() {
      return 3 * SECOND;
    }
  };

  /**
   * Faults drawn more often in large scenarios. In small ones the loss check reads all series all
   * the time, which hides mistakes in handling these faults.
   */
  static final List<FaultKind> HIDDEN_BY_LOSS_CHECK =
      List.of(CLOCK_SET_BACK, CLOCK_GLITCH_AHEAD, ORIGIN_LOSES_A_CELL);

  /** A change of the world because of a fault. */
  interface Action {

    Action NONE = (fault, injector) -> {};

    void run(Fault fault, FaultInjector injector);
  }

  /**
   * The effect of a fault.
   *
   * @param begin runs once when the fault begins
   * @param impair runs whenever the set of active faults changes, after services and links were
   *     healed; of several impairments of the same thing the worst one counts
   * @param end runs once when the fault ends
   */
  record Effect(Action begin, Action impair, Action end) {

    static final Effect NONE = new Effect(Action.NONE, Action.NONE, Action.NONE);
  }

  @SuppressWarnings("ImmutableEnumChecker") // actions have no state
  private final Effect effect;

  private final boolean momentary;

  @SuppressWarnings("ImmutableEnumChecker") // never changed
  private final Set<FaultTrait> traits;

  FaultKind(Momentary begin, FaultTrait... traits) {
    this(new Effect(begin.action, Action.NONE, Action.NONE), true, traits);
  }

  FaultKind(Effect effect, FaultTrait... traits) {
    this(effect, false, traits);
  }

  FaultKind(Effect effect, boolean momentary, FaultTrait... traits) {
    this.effect = effect;
    this.momentary = momentary;
    this.traits = Set.of(traits);
  }

  Effect effect() {
    return effect;
  }

  /** Whether the fault happens at one moment and has no end. */
  boolean isMomentary() {
    return momentary;
  }

  boolean has(FaultTrait trait) {
    return traits.contains(trait);
  }

  long longestNanos() {
    return momentary ? 0 : Long.MAX_VALUE;
  }

  /** Milliseconds by which a fault of this strength sets a clock forward, or back if negative. */
  long clockStepMillis(double strength) {
    return 0;
  }

  /** The name in reports and traces. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** One second to two hours: less than some windows and more than others. */
  private static long largeStepMillis(double strength) {
    return (long) (1_000 * StrictMath.pow(7_200, strength));
  }

  private record Momentary(Action action) {}

  private static Momentary once(Action action) {
    return new Momentary(action);
  }

  private static Effect during(Action impair) {
    return new Effect(Action.NONE, impair, Action.NONE);
  }

  /** Runs an action unless another fault of the same kind at the same node is still active. */
  private static Action unlessContinued(Action action) {
    return (fault, injector) -> {
      if (!injector.isActive(fault.kind(), fault.region(), fault.node())) {
        action.run(fault, injector);
      }
    };
  }

  private static void refuse(Fault fault, FaultInjector injector) {
    injector.originParts(fault).forEach(part -> part.worsen(State.REFUSING));
  }

  private static void silence(Fault fault, FaultInjector injector) {
    injector.originParts(fault).forEach(part -> part.worsen(State.SILENT));
  }

  private static void slowDown(Fault fault, FaultInjector injector) {
    long nanos = (long) (fault.strength() * 800 * MILLI);
    injector.originParts(fault).forEach(part -> part.slowDown(nanos));
  }

  private static void cut(Fault fault, FaultInjector injector) {
    injector.linksToOrigin(fault).forEach(NetworkLink::cut);
  }
}
