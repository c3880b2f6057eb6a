package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.Scenario.MILLI;
import static io.tidegate.simulator.chaos.Scenario.SECOND;

import io.tidegate.model.Scope;
import io.tidegate.model.WindowRules;

/**
 * The time bounds that docs/guarantees.md states, in nanoseconds.
 *
 * <p>The limiter's timings are not public. The comment of a copy names the original in core.
 */
final class TimeBounds {

  private static final long REPLAY_TICK = 10 * MILLI; // RegionalTimings.TICK
  private static final long EXCHANGE_TICK = 20 * MILLI; // GlobalTimings.TICK
  static final long FRESH = 5_500 * MILLI; // LocalTimings.FRESH_MILLIS, by a clock 10 % slow
  static final long NO_WAIT = SECOND; // RegionalTimings.NO_WAIT_NANOS
  private static final long DATABASE_PAUSE = 5 * SECOND; // GlobalTimings.PAUSE
  private static final long REGISTRATION = SECOND; // RegionalTimings.REGISTRATION_INTERVAL
  private static final long PULL_SILENCE = 20 * SECOND; // GlobalTimings.PULL_SILENCE
  private static final int LOSS_CHECKS_PER_SECOND = 40; // LossDetector.SERIES, LOSS_CHECK_NANOS

  /**
   * RegionalTimings.REGISTRATION_LIFETIME, for which a node that has stopped stays the reader, and
   * after which a node without an origin pulls for itself.
   */
  private static final long READER_LIFETIME = 3 * SECOND;

  /** GlobalTimings.FULL_PULL_INTERVAL, one pull a fifth early and the next late. */
  private static final long FULL_PULL_INTERVAL = 84 * SECOND;

  /** GlobalTimings.REPAIR_INTERVAL, one pull a fifth early and the next late. */
  private static final long REPAIR_INTERVAL = 14 * SECOND;

  /** RegionalTimings.BACKGROUND_TIMEOUT and BACKGROUND_PAUSE, of calls to the origin. */
  private static final long BACKGROUND_RECOVERY = 1_500 * MILLI;

  /** PublishedCell.MAX_LAG_SECONDS, with both of its times rounded to seconds. */
  private static final long REPLICA_LAG = 32 * SECOND;

  /** Longest time until a request is answered: RegionalTimings.READ_TIMEOUT, checked every tick. */
  static final long ANSWER = 300 * MILLI + REPLAY_TICK;

  /**
   * Time to replay everything to an origin that lost its counts. An origin that loses them again
   * and again gets a full replay every eight seconds (RegionalTimings.LONGEST_RESEND_PAUSE_NANOS).
   */
  static final long ORIGIN_RECOVERY = 12 * SECOND;

  /**
   * Time until reads succeed after a failure of the origin: failures of the last five seconds
   * (Guard.PERIOD_SECONDS) can open the breaker for another five (RegionalTimings.READ_PAUSE).
   */
  static final long READS_RECOVER = 12 * SECOND;

  private TimeBounds() {}

  /** Time after its last count for which an origin keeps a cell. */
  static long cellLifetime(Scope scope) {
    return WindowRules.CELL_LIFETIME_WINDOWS * scope.windowMillis() * MILLI;
  }

  /** Age up to which counts are lost with a killed node: those in flight to the origin. */
  static long lossAtCrash(Scenario scenario) {
    return 2 * REPLAY_TICK + 3 * scenario.slowestOriginNanos();
  }

  /** Longest time until a node receives the counts of the other nodes of its region. */
  static long regionalLag(Scenario scenario) {
    return FRESH + lossAtCrash(scenario);
  }

  /**
   * Longest time until an origin stores the counts that another region pushes: a push and a pull,
   * each up to a fifth early or late, and the store. A push may wait for a pull of its node, and a
   * pull for one of the own region, which a node makes every minute.
   *
   * <pre>{@code
   * 2.8 intervals + 4 ticks + 3.5 round trips to the database + 1.5 to the origin,
   * plus 2 ticks + 1.5 round trips to their origin
   * }</pre>
   */
  static long importLag(Scenario scenario) {
    return 2 * interval(scenario)
        + 4 * EXCHANGE_TICK
        + 7 * scenario.slowestDatabaseNanos()
        + 3 * scenario.slowestOriginNanos()
        + lossAtCrash(scenario);
  }

  /** The interval of the push policy, up to a fifth early and the next a fifth late. */
  private static long interval(Scenario scenario) {
    return scenario.policy().pushPolicy.interval().toNanos() * 14 / 10;
  }

  /**
   * Longest time until a node has the counts that another region pushes: they are in its origin,
   * and an answer may be five seconds old.
   */
  static long globalLag(Scenario scenario) {
    return importLag(scenario) + FRESH;
  }

  /**
   * Longest time without a pull if the reader fails, or the origin: until the lease ends, or the
   * pull of a reader without a database has failed, a registration that gives it up and one of the
   * next reader; or until a node pulls for itself. A node whose clock is behind applies what it
   * pulls for itself with the first pull after the cell has begun by its own clock.
   *
   * <pre>{@code
   * 3 s, or 20 s if the database does not answer to the reader,
   * + 2 registrations + 4 ticks + 2 round trips to the origin + 1.4 intervals
   * }</pre>
   */
  static long handover(Scenario scenario, Fault fault) {
    return (fault.has(FaultTrait.STALLS_DATABASE_CALLS) ? PULL_SILENCE : READER_LIFETIME)
        + 2 * REGISTRATION
        + 4 * EXCHANGE_TICK
        + 4 * scenario.slowestOriginNanos()
        + interval(scenario);
  }

  /** Longest time after the end of a fault until the usual bounds hold again. */
  static long recovery(Scenario scenario, Fault fault) {
    long nanos =
        ORIGIN_RECOVERY + DATABASE_PAUSE + handover(scenario, fault) + 2 * globalLag(scenario);
    if (fault.has(FaultTrait.STALLS_DATABASE_CALLS)) {
      // A pull may be waiting for a lost answer; and a push that takes longer than pulls reach back
      // is read by the next full pull.
      nanos += PULL_SILENCE + FULL_PULL_INTERVAL;
    }
    if (fault.has(FaultTrait.LOSES_GLOBAL_COUNTS)) {
      nanos += REPLICA_LAG + FULL_PULL_INTERVAL;
    }
    if (fault.has(FaultTrait.MOVES_CLOCK)) {
      nanos += FULL_PULL_INTERVAL; // a clock that is ahead skips rows as expired
    }
    if (fault.has(FaultTrait.FOUND_BY_LOSS_CHECK)) {
      nanos += FULL_PULL_INTERVAL; // imported counts are stored again by it
    }
    return nanos;
  }

  /**
   * Longest time after the end of a fault of an origin, or of nodes of its region, until the origin
   * has all imports again: a registration and stores succeed, another node may become the reader,
   * and a full pull repeats what was not stored.
   */
  static long importRecovery(Scenario scenario, Fault fault) {
    return BACKGROUND_RECOVERY
        + handover(scenario, fault)
        + REPAIR_INTERVAL
        + 2 * importLag(scenario);
  }

  /**
   * Longest time until the loss check has read every series: the walk that is under way and a whole
   * one. Until then, an origin that has lost a single cell may not receive its counts again.
   */
  static long lossCheck(Scenario scenario) {
    return 2L * scenario.series() * SECOND / LOSS_CHECKS_PER_SECOND;
  }
}
