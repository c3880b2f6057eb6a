package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.FaultTrait.CUTS_OFF_ORIGIN;
import static io.tidegate.simulator.chaos.FaultTrait.DELAYS_REPLAYS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_PULLS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_PULLS_OF_REGION;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS;
import static io.tidegate.simulator.chaos.FaultTrait.FAILS_READS_OF_NODE;
import static io.tidegate.simulator.chaos.FaultTrait.FOUND_BY_LOSS_CHECK;
import static io.tidegate.simulator.chaos.FaultTrait.LOSES_ORIGIN_COUNTS;
import static io.tidegate.simulator.chaos.FaultTrait.MOMENTARY;
import static io.tidegate.simulator.chaos.FaultTrait.MOVES_CLOCK;
import static io.tidegate.simulator.chaos.FaultTrait.STOPS_ONE_READER;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

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

  /** All faults, in the order in which they begin. */
  private final List<Fault> faults;

  private final Map<Node, Place> places = new HashMap<>();
  private final Map<Fault, Predicate<WindowCell>> lost = new HashMap<>();

  /** The end of the consequences of each fault; computed once because every answer needs it. */
  private final IdentityHashMap<Fault, Long> overNanos = new IdentityHashMap<>();

  Excuses(Scenario scenario) {
    this.scenario = scenario;
    this.faults = new ArrayList<>(scenario.faults());
    faults.forEach(fault -> overNanos.put(fault, computeOverNanos(fault)));
  }

  /** A fault of the reader begins, at the place of the node that is the reader. */
  void aimed(Fault fault, Fault atNode) {
    faults.set(faults.indexOf(fault), atNode);
    overNanos.put(atNode, overNanos(fault));
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
    return isLost(node, cell, nowNanos, Excuses::delaysReplays);
  }

  /**
   * The same for the counts of other regions, which return with a pull. So they also depend on the
   * database.
   */
  boolean areImportsLost(Node node, WindowCell cell, long nowNanos) {
    return isLost(
        node,
        cell,
        nowNanos,
        (fault, loss) -> delaysReplays(fault, loss) || failsPulls(fault, loss));
  }

  private boolean isLost(
      Node node, WindowCell cell, long nowNanos, BiPredicate<Fault, Fault> delays) {
    int region = place(node).region;
    return any(fault -> fault.region() == region
        && lost.getOrDefault(fault, none -> false).test(cell)
        && nowNanos <= restoredNanos(fault, delays));
  }

  private static boolean delaysReplays(Fault fault, Fault loss) {
    return fault.has(DELAYS_REPLAYS) && fault.region() == loss.region();
  }

  private static boolean failsPulls(Fault fault, Fault loss) {
    return fault.has(FAILS_PULLS)
        || (fault.has(FAILS_PULLS_OF_REGION) && fault.region() == loss.region());
  }

  private boolean any(Predicate<Fault> which) {
    return faults.stream().anyMatch(which);
  }

  /** The end of a loss of counts, which other faults may prolong. */
  private long restoredNanos(Fault loss, BiPredicate<Fault, Fault> delays) {
    long over = overNanos(loss);
    for (Fault fault : faults) {
      boolean prolongs = fault.fromNanos() <= over && delays.test(fault, loss);
      over = prolongs ? Math.max(over, overNanos(fault)) : over;
    }
    return over;
  }

  /** The time at which all counts have spread and the consequences of all faults are over. */
  long calmNanos() {
    long spread = scenario.endNanos() + 2 * TimeBounds.globalLag(scenario);
    return faults.stream().mapToLong(this::overNanos).reduce(spread, Math::max);
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

  /**
   * Begin of the faults that may still affect the imported counts of a node; now if there are none.
   * A single fault that only stops the reader of the region, or cuts the node off from its origin,
   * affects them until another node reads, or the node itself does.
   */
  long globalTroubleSince(Node node, long nowNanos) {
    return handoverSince(
        nowNanos,
        faults,
        this::overNanos,
        fault ->
            isHandedOver(fault, place(node).region, nowNanos) || isCutOff(fault, node, nowNanos));
  }

  /**
   * Begin of the faults that may still affect the imported counts in the origin of a region; now if
   * there are none. A single fault that only stops the reader does so until another node reads.
   */
  long importTroubleSince(int region, long nowNanos) {
    List<Fault> relevant = faults.stream()
        .filter(fault -> !isOfRegionOnly(fault) || fault.region() == region)
        .toList();
    ToLongFunction<Fault> over = fault -> isOfRegionOnly(fault)
        ? fault.untilNanos() + TimeBounds.importRecovery(scenario, fault)
        : overNanos(fault);
    return handoverSince(nowNanos, relevant, over, fault -> isHandedOver(fault, region, nowNanos));
  }

  /** Whether a fault of an origin or of a node does not affect what other regions exchange. */
  private static boolean isOfRegionOnly(Fault fault) {
    return fault.has(DELAYS_REPLAYS) && !fault.has(LOSES_ORIGIN_COUNTS);
  }

  /** Begin of all faults, or of the last handover if there is only one, which causes a handover. */
  private long handoverSince(
      long nowNanos, List<Fault> relevant, ToLongFunction<Fault> over, Predicate<Fault> handsOver) {
    long since = troubleSince(nowNanos, relevant, over);
    return onlyTrouble(nowNanos, relevant, over)
        .filter(handsOver)
        .map(fault -> Math.max(since, nowNanos - TimeBounds.handover(scenario, fault)))
        .orElse(since);
  }

  /**
   * Whether a node has pulled the counts of other regions itself for long enough to have all of
   * them.
   */
  boolean pullsDirectly(Node node, long nowNanos) {
    return onlyTrouble(nowNanos, faults, this::overNanos)
        .filter(fault -> isCutOff(fault, node, nowNanos)
            && nowNanos - fault.fromNanos()
                >= TimeBounds.handover(scenario, fault) + TimeBounds.globalLag(scenario))
        .isPresent();
  }

  /** The fault whose consequences may be felt, if it is the only one since it began. */
  private static Optional<Fault> onlyTrouble(
      long nowNanos, List<Fault> relevant, ToLongFunction<Fault> over) {
    List<Fault> felt = relevant.stream()
        .filter(fault -> fault.fromNanos() <= nowNanos && over.applyAsLong(fault) >= nowNanos)
        .toList();
    if (felt.size() != 1) {
      return Optional.empty();
    }
    Fault only = felt.get(0);
    boolean beganAlone = relevant.stream()
        .allMatch(other -> other.equals(only)
            || other.fromNanos() > nowNanos
            || over.applyAsLong(other) < only.fromNanos());
    return beganAlone ? Optional.of(only) : Optional.empty();
  }

  /** Whether a fault at most lets another node of a region become its reader. */
  private boolean isHandedOver(Fault fault, int region, long nowNanos) {
    boolean momentary = fault.has(MOMENTARY);
    return fault.region() == region
        && fault.has(STOPS_ONE_READER)
        && (momentary || nowNanos <= fault.untilNanos())
        && (momentary || scenario.nodes().get(region) > 1);
  }

  /** Whether a node is cut off from its origin. A crowded one may not have room for all counts. */
  private boolean isCutOff(Fault fault, Node node, long nowNanos) {
    Place place = place(node);
    return fault.has(CUTS_OFF_ORIGIN)
        && (fault.has(FAILS_READS) ? fault.region() == place.region : place.isOf(fault))
        && nowNanos <= fault.untilNanos()
        && !scenario.isCrowded();
  }

  /** Whether a registration of a node in its origin may have failed. */
  boolean registrationMayHaveFailed(Node node, long nowNanos) {
    Place place = place(node);
    return any(fault -> fault.fromNanos() <= nowNanos
        && fault.untilNanos() >= node.startedNanos()
        && fault.affectsPart(0, scenario.parts())
        && ((fault.has(FAILS_READS) && fault.region() == place.region)
            || (fault.has(FAILS_READS_OF_NODE) && place.isOf(fault))));
  }

  /** The highest time that a clock of a region shows, which decides what its reader skips. */
  long latestMillis(Node node) {
    return places.keySet().stream()
        .filter(other -> other.isIn(node.region()) && !other.isDead())
        .mapToLong(Node::millis)
        .max()
        .orElse(node.millis());
  }

  /**
   * Begin of the faults that may still affect the counts of a series in the region of a node; now
   * if there are none. A clock step is no excuse, because the age of an answer is measured in
   * elapsed time; nor is a fault of a part of the origin that stores other series.
   */
  long regionalTroubleSince(Node node, Series series, long nowNanos) {
    int region = place(node).region;
    int part = node.region().origin().part(series);
    List<Fault> relevant = faults.stream()
        .filter(fault -> fault.region() == region
            && fault.has(DELAYS_REPLAYS)
            && !fault.has(FOUND_BY_LOSS_CHECK)
            && fault.affectsPart(part, scenario.parts()))
        .toList();
    return troubleSince(nowNanos, relevant, this::overNanos);
  }

  private long troubleSince(long nowNanos, List<Fault> relevant, ToLongFunction<Fault> over) {
    long since = nowNanos;
    for (int i = relevant.size() - 1; i >= 0; i--) {
      Fault fault = relevant.get(i);
      if (fault.fromNanos() <= nowNanos && over.applyAsLong(fault) >= since) {
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

  /**
   * Most tokens, of all cells, that a node has given up before its origin confirmed them: because
   * its clock was ahead and let their cells expire, or because it has evicted too many series. The
   * node reports them.
   */
  long givenUpTokens(Node node, long nowNanos) {
    boolean mayGiveUp = clockMovedSince(node, 0, nowNanos) || scenario.isCrowded();
    return mayGiveUp ? node.limiter().stats().lostTokens() : 0;
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
