package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.FaultTrait.DELAYS_REPLAYS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS_OF_NODE;
import static io.tidegate.simulator.chaos.FaultTrait.FOUND_BY_LOSS_CHECK;
import static io.tidegate.simulator.chaos.FaultTrait.MOVES_CLOCK;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The faults whose consequences may still be felt at a place and a time, and which excuse a node
 * from what is guaranteed without faults.
 */
final class Excuses {

  /** The place of a node. A fault affects a place, whichever node occupies it. */
  private record Place(int region, int number) {

    boolean isOf(Fault fault) {
      return fault.region() == region && fault.node() == number;
    }
  }

  private final Scenario scenario;
  private final Map<Node, Place> places = new HashMap<>();
  private final Map<Fault, Predicate<WindowCell>> lost = new HashMap<>();

  /** The end of the consequences of each fault; computed once because every answer needs it. */
  private final IdentityHashMap<Fault, Long> overNanos = new IdentityHashMap<>();

  Excuses(Scenario scenario) {
    this.scenario = scenario;
    scenario.faults().forEach(fault -> overNanos.put(fault, computeOverNanos(fault)));
  }

  void nodeStarted(Node node, int region, int number) {
    places.put(node, new Place(region, number));
  }

  /** A fault has deleted cells from an origin. */
  void cellsLost(Fault fault, Predicate<WindowCell> which) {
    lost.put(fault, which);
  }

  /**
   * Whether the origin of a node may have lost a cell and not yet received it again from all nodes.
   * It then answers with too low counts, however old those counts are.
   */
  boolean isLost(Node node, WindowCell cell, long nowNanos) {
    int region = place(node).region;
    return any(fault -> fault.region() == region
        && lost.getOrDefault(fault, none -> false).test(cell)
        && nowNanos <= restoredNanos(fault));
  }

  private boolean any(Predicate<Fault> which) {
    return scenario.faults().stream().anyMatch(which);
  }

  /** The end of a loss of counts, which other faults of the same origin may prolong. */
  private long restoredNanos(Fault loss) {
    long over = overNanos(loss);
    for (Fault fault : scenario.faults()) {
      boolean delays =
          fault.region() == loss.region() && fault.has(DELAYS_REPLAYS) && fault.fromNanos() <= over;
      over = delays ? Math.max(over, overNanos(fault)) : over;
    }
    return over;
  }

  /** The time at which all counts have spread and the consequences of all faults are over. */
  long calmNanos() {
    long spread = scenario.endNanos() + 2 * TimeBounds.globalLag(scenario);
    return scenario.faults().stream().mapToLong(this::overNanos).reduce(spread, Math::max);
  }

  private long overNanos(Fault fault) {
    return Objects.requireNonNull(overNanos.get(fault));
  }

  private long computeOverNanos(Fault fault) {
    // The loss check proceeds to the next series even if the origin did not answer for the last.
    boolean delaysLossCheck = fault.has(DELAYS_REPLAYS)
        && any(other -> other.has(FOUND_BY_LOSS_CHECK)
            && other.region() == fault.region()
            && other.fromNanos() <= fault.untilNanos());
    long over = fault.untilNanos() + TimeBounds.recovery(scenario, fault);
    return delaysLossCheck ? over + TimeBounds.lossCheck(scenario) : over;
  }

  /** Begin of the faults that may still affect imported counts; now if there are none. */
  long globalTroubleSince(long nowNanos) {
    return troubleSince(nowNanos, fault -> true);
  }

  /**
   * Begin of the faults that may still affect the counts of a series in the region of a node; now
   * if there are none. A clock step is no excuse, because the age of an answer is measured in
   * elapsed time; nor is a fault of a part of the origin that stores other series.
   */
  long regionalTroubleSince(Node node, Series series, long nowNanos) {
    int region = place(node).region;
    int part = node.region().origin().part(series);
    return troubleSince(
        nowNanos,
        fault -> fault.region() == region
            && fault.has(DELAYS_REPLAYS)
            && !fault.has(FOUND_BY_LOSS_CHECK)
            && fault.affectsPart(part, scenario.parts()));
  }

  private long troubleSince(long nowNanos, Predicate<Fault> which) {
    long since = nowNanos;
    for (int i = scenario.faults().size() - 1; i >= 0; i--) {
      Fault fault = scenario.faults().get(i);
      if (fault.fromNanos() <= nowNanos && overNanos(fault) >= since && which.test(fault)) {
        since = fault.fromNanos();
      }
    }
    boolean starting = nowNanos - scenario.startNanos() < Scenario.SECOND; // before the first pulls
    return starting ? scenario.startNanos() : since;
  }

  /** Whether a fault, present or recent, can make a read of a series by a node fail. */
  boolean readsMayFail(Node node, Series series, long nowNanos) {
    Place place = place(node);
    int part = node.region().origin().part(series);
    return any(fault -> fault.fromNanos() <= nowNanos
        && nowNanos <= fault.untilNanos() + TimeBounds.READS_RECOVER
        && fault.affectsPart(part, scenario.parts())
        && ((fault.has(FAILS_READS) && fault.region() == place.region)
            || (fault.has(FAILS_READS_OF_NODE) && place.isOf(fault))));
  }

  /** Whether a fault has moved the clock of a node at the given time or later. */
  boolean clockMovedSince(Node node, long nanos, long nowNanos) {
    Place place = place(node);
    return any(fault -> fault.has(MOVES_CLOCK)
        && place.isOf(fault)
        && fault.fromNanos() <= nowNanos
        && fault.untilNanos() >= nanos);
  }

  /** Whether the origin of a crashing node has been reachable long enough to have its counts. */
  boolean originWasReachable(Fault crash, long nowNanos) {
    return !any(fault -> !fault.equals(crash)
        && fault.region() == crash.region()
        && fault.has(DELAYS_REPLAYS)
        && fault.fromNanos() <= nowNanos
        && replayedNanos(fault) >= nowNanos);
  }

  private long replayedNanos(Fault fault) {
    return scenario.has(FOUND_BY_LOSS_CHECK)
        ? overNanos(fault)
        : fault.untilNanos() + TimeBounds.ORIGIN_RECOVERY;
  }

  private Place place(Node node) {
    return Objects.requireNonNull(places.get(node));
  }
}
