package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.Scenario.MILLI;
import static io.tidegate.simulator.chaos.Scenario.SECOND;

/** The times and bounds that docs/guarantees.md states. */
final class TimeBounds {

  /** How often the origin is told what has changed. */
  private static final long REGION_TICK = 10 * MILLI;

  /** How often a node sees whether it is time to push or to pull. */
  private static final long EXCHANGE_TICK = 20 * MILLI;

  /** How long an answer of the origin is relied on; a clock may be a tenth too slow. */
  static final long FRESH = 5_500 * MILLI;

  /** How long a read is waited for, by a clock that is looked at every tick. */
  private static final long READ_TIMEOUT = 300 * MILLI + REGION_TICK;

  /** How often a series is asked about that has to make room each time. */
  private static final int TRIES = 3;

  /** A pull of everything that was lost on its way is waited for so long. */
  private static final long FULL_PULL_TIMEOUT = 60 * SECOND;

  /** From one pull of everything to the next, at most. */
  private static final long FULL_PULL_INTERVAL = 84 * SECOND;

  /** A count that a pull of everything did not bring is taken for lost if it is older than this. */
  private static final long REPLICA_LAG = 32 * SECOND;

  /**
   * An origin that lost its memory again and again is told every eight seconds; then all is told.
   */
  private static final long ORIGIN_RECOVERY = 12 * SECOND;

  /** How long a failing database is left alone. */
  private static final long PAUSE = 5 * SECOND;

  /** How many series the patrol of a node reads in a second. */
  private static final int PATROLLED_PER_SECOND = 40;

  /**
   * After a failure, so long until reads succeed again: failures of the last five seconds can stop
   * them for another five.
   */
  static final long READS_RECOVER = 12 * SECOND;

  /** A read that failed is forgotten after so long, and waited for again. */
  static final long FAILURE_REMEMBERED = SECOND;

  private TimeBounds() {}

  /** How long a request may take. */
  static long answerNanos(Scenario plan) {
    return plan.isCrowded() ? TRIES * READ_TIMEOUT : READ_TIMEOUT;
  }

  /**
   * What a node may lose that is killed: what it accepted so lately, or of that what is on its way.
   */
  static long lossNanos(Scenario plan) {
    return 2 * REGION_TICK + 3 * plan.slowestOriginNanos();
  }

  /** How old the knowledge of what the other nodes of the region accepted may be. */
  static long regionalLagNanos(Scenario plan) {
    return FRESH + 2 * REGION_TICK + 3 * plan.slowestOriginNanos();
  }

  /**
   * How old the knowledge of what another region accepted may be, of what it finds worth telling: a
   * push and a pull, each of which may come up to a fifth early or late. A node whose clock is
   * behind keeps what it hears of a cell until the first pull after it has begun.
   */
  static long globalLagNanos(Scenario plan) {
    long interval = plan.policy().pushPolicy().interval().toNanos() * 14 / 10;
    return (plan.clocksDiffer(Long.MAX_VALUE) ? 3 : 2) * interval
        + 4 * EXCHANGE_TICK
        + 5 * plan.slowestDatabaseNanos()
        + lossNanos(plan);
  }

  /**
   * After a failure, so long until everything goes its usual way again: a few seconds; a minute
   * more if answers of the database may be waited for in vain; and if it has lost what it had
   * confirmed, until the next pull of everything after a replica might have caught up.
   */
  static long recoveryNanos(Scenario plan, Fault.Kind kind) {
    long usual = ORIGIN_RECOVERY + PAUSE + 2 * globalLagNanos(plan);
    return switch (kind) {
      case DATABASE_SILENT, DATABASE_SLOW, DATABASE_LINK_BAD, DATABASE_LINK_CUT, REGION_CUT_OFF ->
        usual + FULL_PULL_TIMEOUT;
      case DATABASE_LOSES_COMMITS -> usual + REPLICA_LAG + FULL_PULL_INTERVAL;
      // A clock that is ahead takes rows for over, and reads them again with all others.
      case CLOCK_STEPS, CLOCK_DRIFTS, CLOCK_SET_BACK, CLOCK_GLITCH_AHEAD ->
        usual + FULL_PULL_INTERVAL;
      default -> usual;
    };
  }

  /**
   * How long the patrol takes for all series, and for the walk that was under way: until then, an
   * origin that has lost one cell may not be told again.
   */
  static long patrolNanos(Scenario plan) {
    return 2 * plan.series() * SECOND / PATROLLED_PER_SECOND;
  }

  /**
   * How long a node may not know what other regions counted in a series that it has just made room
   * for.
   */
  static long forgottenNanos(Scenario plan) {
    return FULL_PULL_INTERVAL + globalLagNanos(plan);
  }
}
