package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.FaultTrait.CUTS_OFF_ORIGIN;
import static io.tidegate.simulator.chaos.FaultTrait.DELAYS_REPLAYS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_PULLS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_PULLS_OF_REGION;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS_OF_NODE;
import static io.tidegate.simulator.chaos.FaultTrait.FOUND_BY_LOSS_CHECK;
import static io.tidegate.simulator.chaos.FaultTrait.LOSES_GLOBAL_COUNTS;
import static io.tidegate.simulator.chaos.FaultTrait.LOSES_ORIGIN_COUNTS;
import static io.tidegate.simulator.chaos.FaultTrait.MOMENTARY;
import static io.tidegate.simulator.chaos.FaultTrait.MOVES_CLOCK;
import static io.tidegate.simulator.chaos.FaultTrait.ONE_PART;
import static io.tidegate.simulator.chaos.FaultTrait.STALLS_DATABASE_CALLS;
import static io.tidegate.simulator.chaos.FaultTrait.STOPS_ONE_READER;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of faults, with the {@linkplain FaultTrait traits} by which the referee excuses their
 * consequences. {@link FaultInjector} has their effects.
 *
 * <p>A new kind is a new constant. Scenarios draw from all constants by position, so a new constant
 * changes the meaning of all seeds; append it at the end of its group all the same.
 */
enum FaultKind {
  ORIGIN_REFUSES(DELAYS_REPLAYS, FAILS_READS, CUTS_OFF_ORIGIN),
  ORIGIN_SILENT(DELAYS_REPLAYS, FAILS_READS, CUTS_OFF_ORIGIN),
  ORIGIN_SLOW(DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_FLAPS(DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_PART_REFUSES(ONE_PART, DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_PART_SILENT(ONE_PART, DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_PART_SLOW(ONE_PART, DELAYS_REPLAYS, FAILS_READS),
  ORIGIN_PART_LINK_CUT(ONE_PART, DELAYS_REPLAYS, FAILS_READS_OF_NODE),
  ORIGIN_WIPED(MOMENTARY, DELAYS_REPLAYS, LOSES_ORIGIN_COUNTS),
  ORIGIN_LOSES_A_CELL(MOMENTARY, DELAYS_REPLAYS, LOSES_ORIGIN_COUNTS, FOUND_BY_LOSS_CHECK),
  ORIGIN_LINK_BAD(DELAYS_REPLAYS, FAILS_READS_OF_NODE),
  ORIGIN_LINK_CUT(DELAYS_REPLAYS, FAILS_READS_OF_NODE, CUTS_OFF_ORIGIN, STOPS_ONE_READER),
  /** The adapter throws or completes exceptionally. */
  ORIGIN_CLIENT_THROWS(DELAYS_REPLAYS, FAILS_READS_OF_NODE),

  DATABASE_REFUSES(FAILS_PULLS),
  DATABASE_SILENT(FAILS_PULLS, STALLS_DATABASE_CALLS),
  DATABASE_SLOW(FAILS_PULLS, STALLS_DATABASE_CALLS),
  /** Two of three pushes fail without effect. */
  DATABASE_DEADLOCKS,
  /** Half of the pulls break off after a few rows. */
  DATABASE_BREAKS_PULLS(FAILS_PULLS),
  DATABASE_LOSES_COMMITS(MOMENTARY, LOSES_GLOBAL_COUNTS),
  DATABASE_LINK_BAD(FAILS_PULLS_OF_REGION, STALLS_DATABASE_CALLS),
  DATABASE_LINK_CUT(FAILS_PULLS_OF_REGION, STALLS_DATABASE_CALLS, STOPS_ONE_READER),
  /** The adapter throws or completes exceptionally. */
  DATABASE_CLIENT_THROWS(FAILS_PULLS_OF_REGION),
  REGION_CUT_OFF(FAILS_PULLS_OF_REGION, STALLS_DATABASE_CALLS),

  NODE_CRASHES(DELAYS_REPLAYS, STOPS_ONE_READER),
  NODE_RESTARTS(DELAYS_REPLAYS),
  NODE_FREEZES(DELAYS_REPLAYS, FAILS_READS_OF_NODE, STOPS_ONE_READER),
  OBSERVER_THROWS,

  /** The origin loses the lease, so that there may be two readers for a moment. */
  READER_LEASE_LOST(MOMENTARY, STOPS_ONE_READER),
  READER_CRASHES(NODE_CRASHES),
  READER_FREEZES(NODE_FREEZES),
  READER_DATABASE_LINK_CUT(DATABASE_LINK_CUT),
  READER_ORIGIN_LINK_CUT(ORIGIN_LINK_CUT),

  CLOCK_STEPS(MOMENTARY, MOVES_CLOCK),
  CLOCK_DRIFTS(MOVES_CLOCK),
  CLOCK_SET_BACK(MOMENTARY, MOVES_CLOCK),
  CLOCK_GLITCH_AHEAD(MOVES_CLOCK);

  /**
   * Faults drawn more often in large scenarios. In small ones the loss check reads all series all
   * the time, which hides mistakes in handling these faults.
   */
  static final List<FaultKind> HIDDEN_BY_LOSS_CHECK =
      List.of(CLOCK_SET_BACK, CLOCK_GLITCH_AHEAD, ORIGIN_LOSES_A_CELL);

  /** Faults of readers, drawn more often where regions exchange counts. */
  static final List<FaultKind> OF_READER = List.of(
      READER_LEASE_LOST,
      READER_CRASHES,
      READER_FREEZES,
      READER_DATABASE_LINK_CUT,
      READER_ORIGIN_LINK_CUT);

  @SuppressWarnings("ImmutableEnumChecker") // never changed
  private final Set<FaultTrait> traits;

  /** The fault of any node that this fault is if it happens to the reader of a region. */
  private final @Nullable FaultKind ofNode;

  FaultKind(FaultTrait... traits) {
    this.traits = Set.of(traits);
    this.ofNode = null;
  }

  FaultKind(FaultKind ofNode) {
    this.traits = ofNode.traits;
    this.ofNode = ofNode;
  }

  /** Whether the fault happens to the node that is the reader when it begins. */
  boolean isOfReader() {
    return ofNode != null;
  }

  /** The same fault of a given node. */
  FaultKind ofNode() {
    return ofNode == null ? this : ofNode;
  }

  boolean has(FaultTrait trait) {
    return traits.contains(trait);
  }

  long longestNanos() {
    if (has(MOMENTARY)) {
      return 0;
    }
    return this == CLOCK_GLITCH_AHEAD ? 3 * Scenario.SECOND : Long.MAX_VALUE;
  }
}
