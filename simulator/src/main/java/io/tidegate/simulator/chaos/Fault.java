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
    ORIGIN_REFUSES(false),
    ORIGIN_SILENT(false),
    ORIGIN_SLOW(false),
    ORIGIN_FLAPS(false),
    ORIGIN_PART_GONE(false),
    ORIGIN_WIPED(true),
    ORIGIN_LINK_BAD(false),
    ORIGIN_LINK_CUT(false),
    DATABASE_REFUSES(false),
    DATABASE_SILENT(false),
    DATABASE_SLOW(false),
    DATABASE_DEADLOCKS(false),
    DATABASE_BREAKS_PULLS(false),
    DATABASE_LOSES_COMMITS(true),
    DATABASE_LINK_BAD(false),
    DATABASE_LINK_CUT(false),
    REGION_CUT_OFF(false),
    NODE_CRASHES(false),
    NODE_FREEZES(false),
    CLOCK_STEPS(true),
    CLOCK_DRIFTS(false);

    private final boolean momentary;

    Kind(boolean momentary) {
      this.momentary = momentary;
    }

    boolean isMomentary() {
      return momentary;
    }

    /** Whether it may keep a node's counts from its origin, or the origin from keeping them. */
    boolean concernsOrigin() {
      return name().startsWith("ORIGIN") || name().startsWith("NODE");
    }

    String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** By how many milliseconds a clock is set: at most a minute and a half, either way. */
  long stepMillis() {
    return (long) ((strength - 0.5) * 180_000);
  }

  /** When its consequences are over. A clock that was set back lets answers last for longer. */
  long overNanos(Plan plan) {
    long step = kind == Kind.CLOCK_STEPS ? Math.abs(stepMillis()) * Plan.MILLI : 0;
    return untilNanos + step + Guarantees.recoveryNanos(plan, kind);
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
