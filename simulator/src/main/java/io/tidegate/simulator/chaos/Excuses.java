package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which faults may still be felt, where and for how long: what excuses a node from what is
 * guaranteed while nothing is wrong.
 */
final class Excuses {

  /** The place of a node: faults happen to a place, whichever node has it. */
  private record Place(int region, int number) {}

  private final Scenario plan;
  private final Map<Node, Place> places = new HashMap<>();
  private final Map<Fault, WindowCell> lost = new IdentityHashMap<>();

  /** When the consequences of each fault are over: looked up with every answer. */
  private final Map<Fault, Long> over = new IdentityHashMap<>();

  Excuses(Scenario plan) {
    this.plan = plan;
    plan.faults().forEach(fault -> over.put(fault, computeOverNanos(fault)));
  }

  void starts(Node node, int region, int number) {
    places.put(node, new Place(region, number));
  }

  /** The origin of a region has lost a cell. */
  void loses(Fault fault, WindowCell cell) {
    lost.put(fault, cell);
  }

  /**
   * Whether the origin of a node may have lost a cell and not been told of it again by all: then it
   * answers, and does not know what was counted, however long ago.
   */
  boolean isLost(Node node, WindowCell cell, long nowNanos) {
    int region = places.get(node).region;
    for (Fault fault : plan.faults()) {
      if (fault.region() == region
          && fault.fromNanos() <= nowNanos
          && (fault.kind() == Fault.Kind.ORIGIN_WIPED || cell.equals(lost.get(fault)))
          && nowNanos <= overInRegion(fault)) {
        return true;
      }
    }
    return false;
  }

  /** Another fault of the origin may keep it from being told. */
  private long overInRegion(Fault loss) {
    long over = overNanos(loss);
    for (Fault fault : plan.faults()) {
      boolean delays = fault.region() == loss.region()
          && fault.kind().concernsOrigin()
          && fault.fromNanos() <= over;
      over = delays ? Math.max(over, overNanos(fault)) : over;
    }
    return over;
  }

  /** When the last request has been heard of, and the consequences of all faults are over. */
  long calmNanos() {
    long heard = plan.endNanos() + 2 * TimeBounds.globalLagNanos(plan);
    return plan.faults().stream().mapToLong(this::overNanos).reduce(heard, Math::max);
  }

  /** When the consequences of a fault are over. */
  private long overNanos(Fault fault) {
    return over.get(fault);
  }

  private long computeOverNanos(Fault fault) {
    // The patrol goes on to the next series, whether or not the origin has answered for the last.
    boolean startsPatrolAnew = fault.kind().concernsOrigin()
        && plan.faults().stream()
            .anyMatch(other -> other.kind() == Fault.Kind.ORIGIN_LOSES_A_CELL
                && other.region() == fault.region()
                && other.fromNanos() <= fault.untilNanos());
    return fault.untilNanos()
        + TimeBounds.recoveryNanos(plan, fault.kind())
        + (startsPatrolAnew ? TimeBounds.patrolNanos(plan) : 0);
  }

  /**
   * When the trouble began that other regions' counts may still suffer from; now if there is none.
   */
  long began(long nowNanos) {
    return began(nowNanos, fault -> true);
  }

  /**
   * When the trouble began that the counts of a series may still suffer from in the region of a
   * node; now if there is none. A clock that steps is no excuse: how old an answer is, is measured
   * in elapsed time. Nor is a part of the origin that stores other series.
   */
  long beganInRegion(Node node, Series series, long nowNanos) {
    Place place = places.get(node);
    int part = node.region().origin().part(series);
    return began(
        nowNanos,
        fault -> fault.region() == place.region
            && fault.kind().concernsOrigin()
            && fault.kind() != Fault.Kind.ORIGIN_LOSES_A_CELL
            && concernsPart(fault, part));
  }

  private boolean concernsPart(Fault fault, int part) {
    return !fault.kind().isOfPart() || fault.part(plan.parts()) == part;
  }

  private long began(long nowNanos, Predicate<Fault> which) {
    long began = nowNanos;
    for (int i = plan.faults().size() - 1; i >= 0; i--) {
      Fault fault = plan.faults().get(i);
      if (fault.fromNanos() <= nowNanos && overNanos(fault) >= began && which.test(fault)) {
        began = fault.fromNanos();
      }
    }
    boolean starting =
        nowNanos - plan.startNanos() < Scenario.SECOND; // the first pulls are under way
    return starting ? plan.startNanos() : began;
  }

  /** Whether something is wrong, or was a moment ago, that can make a read of a series fail. */
  boolean mayFailToRead(Node node, Series series, long nowNanos) {
    Place place = places.get(node);
    int part = node.region().origin().part(series);
    return plan.faults().stream()
        .anyMatch(fault -> fault.fromNanos() <= nowNanos
            && nowNanos <= fault.untilNanos() + TimeBounds.READS_RECOVER
            && fault.region() == place.region
            && concernsPart(fault, part)
            && preventsReads(fault, place));
  }

  private static boolean preventsReads(Fault fault, Place place) {
    return switch (fault.kind()) {
      case ORIGIN_REFUSES,
          ORIGIN_SILENT,
          ORIGIN_SLOW,
          ORIGIN_FLAPS,
          ORIGIN_PART_REFUSES,
          ORIGIN_PART_SILENT,
          ORIGIN_PART_SLOW -> true;
      case ORIGIN_PART_LINK_CUT,
          ORIGIN_LINK_BAD,
          ORIGIN_LINK_CUT,
          ORIGIN_CLIENT_THROWS,
          NODE_FREEZES -> fault.node() == place.number;
      default -> false;
    };
  }

  /** Whether the clock of a node was set at a time or later. */
  boolean clockSetSince(Node node, long nanos, long nowNanos) {
    Place place = places.get(node);
    return plan.faults().stream()
        .anyMatch(fault -> fault.kind().isOfClocks()
            && fault.region() == place.region
            && fault.node() == place.number
            && fault.fromNanos() <= nowNanos
            && fault.untilNanos() >= nanos);
  }

  /** Whether the way of a node to its origin, and the origin, have been well for a while. */
  boolean reachedOrigin(Fault crash, long nowNanos, long forNanos) {
    return plan.faults().stream()
        .allMatch(fault -> fault == crash
            || fault.region() != crash.region()
            || !fault.kind().concernsOrigin()
            || fault.fromNanos() > nowNanos
            || overForOrigin(fault, forNanos) < nowNanos);
  }

  private long overForOrigin(Fault fault, long forNanos) {
    return fault.kind() == Fault.Kind.ORIGIN_LOSES_A_CELL
            || plan.has(Fault.Kind.ORIGIN_LOSES_A_CELL)
        ? overNanos(fault)
        : fault.untilNanos() + forNanos;
  }
}
