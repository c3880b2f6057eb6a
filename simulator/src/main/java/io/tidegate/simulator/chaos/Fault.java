package io.tidegate.simulator.chaos;

import java.util.Locale;

/**
 * Something that goes wrong for a while, or at one moment.
 *
 * @param kind what
 * @param fromNanos when it begins
 * @param untilNanos when it is over; the same for what happens at one moment
 * @param region where, by number
 * @param node the node, by its number in the region, for what happens to one
 * @param strength how bad, 0 to 1
 */
record Fault(Kind kind, long fromNanos, long untilNanos, int region, int node, double strength) {

  /** What can go wrong. */
  enum Kind {
    ORIGIN_REFUSES,
    ORIGIN_SILENT,
    ORIGIN_SLOW,
    ORIGIN_FLAPS,
    ORIGIN_PART_REFUSES,
    ORIGIN_PART_SILENT,
    ORIGIN_PART_SLOW,
    ORIGIN_PART_LINK_CUT,
    ORIGIN_WIPED,
    ORIGIN_LOSES_A_CELL,
    ORIGIN_LINK_BAD,
    ORIGIN_LINK_CUT,
    ORIGIN_CLIENT_THROWS,
    DATABASE_REFUSES,
    DATABASE_SILENT,
    DATABASE_SLOW,
    DATABASE_DEADLOCKS,
    DATABASE_BREAKS_PULLS,
    DATABASE_LOSES_COMMITS,
    DATABASE_LINK_BAD,
    DATABASE_LINK_CUT,
    DATABASE_CLIENT_THROWS,
    REGION_CUT_OFF,
    NODE_CRASHES,
    NODE_RESTARTS,
    NODE_FREEZES,
    OBSERVER_THROWS,
    CLOCK_STEPS,
    CLOCK_DRIFTS,
    CLOCK_SET_BACK,
    CLOCK_GLITCH_AHEAD;

    private final boolean concernsOrigin = name().startsWith("ORIGIN") || name().startsWith("NODE");
    private final boolean ofPart = name().startsWith("ORIGIN_PART");
    private final boolean ofClocks = name().startsWith("CLOCK");

    boolean isMomentary() {
      return switch (this) {
        case ORIGIN_WIPED,
            ORIGIN_LOSES_A_CELL,
            DATABASE_LOSES_COMMITS,
            CLOCK_STEPS,
            CLOCK_SET_BACK -> true;
        default -> false;
      };
    }

    long longestNanos() {
      if (isMomentary()) {
        return 0;
      }
      return this == CLOCK_GLITCH_AHEAD ? 3 * Scenario.SECOND : Long.MAX_VALUE;
    }

    /** Whether it may keep a node's counts from its origin, or the origin from keeping them. */
    boolean concernsOrigin() {
      return concernsOrigin;
    }

    boolean isOfPart() {
      return ofPart;
    }

    boolean isOfClocks() {
      return ofClocks;
    }

    String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** By how many milliseconds a clock is set. */
  long stepMillis() {
    return switch (kind) {
      case CLOCK_STEPS -> (long) ((strength - 0.5) * 180_000); // a minute and a half, either way
      case CLOCK_SET_BACK -> -farMillis();
      case CLOCK_GLITCH_AHEAD -> farMillis();
      default -> 0;
    };
  }

  /** From a second to two hours: less than some windows, and more than others. */
  private long farMillis() {
    return (long) (1_000 * StrictMath.pow(7_200, strength));
  }

  /** The part of the origin that fails, of so many. */
  int part(int parts) {
    return (int) (strength * 1_000) % parts;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s region %d node %d, strength %.2f, from %.3f s to %.3f s",
        kind.words(),
        region,
        node,
        strength,
        fromNanos / 1e9,
        untilNanos / 1e9);
  }
}
