package io.tidegate.simulator.chaos;

import java.util.Locale;

/**
 * A fault at a place and a time.
 *
 * @param untilNanos end; equal to the begin for a momentary fault
 * @param region number of the region
 * @param node number of the node in the region, for faults of one node
 * @param strength severity, 0 to 1
 */
record Fault(
    FaultKind kind, long fromNanos, long untilNanos, int region, int node, double strength) {

  /** The same fault of a given node of the region. */
  Fault at(int number) {
    return new Fault(kind.ofNode(), fromNanos, untilNanos, region, number, strength);
  }

  boolean has(FaultTrait trait) {
    return kind.has(trait);
  }

  /** Milliseconds by which the fault sets a clock forward, or back if negative. */
  long stepMillis() {
    // One second to two hours: less than some windows and more than others.
    long large = (long) (1_000 * StrictMath.pow(7_200, strength));
    return switch (kind) {
      case CLOCK_STEPS -> (long) ((strength - 0.5) * 180_000); // up to 90 s forward or back
      case CLOCK_SET_BACK -> -large;
      case CLOCK_GLITCH_AHEAD -> large;
      default -> 0;
    };
  }

  /** Whether the fault affects a part of the origin of its region. */
  boolean affectsPart(int part, int parts) {
    return !has(FaultTrait.ONE_PART) || (int) (strength * 1_000) % parts == part;
  }

  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String severity = String.format(Locale.ROOT, ", strength %.2f", strength);
    String time =
        String.format(Locale.ROOT, ", from %.3f s to %.3f s", fromNanos / 1e9, untilNanos / 1e9);
    return name + " region " + region + " node " + node + severity + time;
  }
}
