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
  private static final long FULL_PULL_TIMEOUT = 60 * SECOND; // GlobalTimings.FULL_PULL_SILENCE
  private static final int LOSS_CHECKS_PER_SECOND = 40; // LossDetector.SERIES, LOSS_CHECK_NANOS

  /** RegionalTimings.READ_TIMEOUT, which is checked every tick. */
  private static final long READ_TIMEOUT = 300 * MILLI + REPLAY_TICK;

  /** RegionalLayer.TRIES: reads for one request whose series is evicted each time. */
  private static final int MAX_READS = 3;

  /** GlobalTimings.FULL_PULL_INTERVAL, one pull a fifth early and the next late. */
  private static final long FULL_PULL_INTERVAL = 84 * SECOND;

  /** PublishedCell.MAX_LAG_SECONDS, with both of its times rounded to seconds. */
  private static final long REPLICA_LAG = 32 * SECOND;

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

  /** Longest time until a request is answered. */
  static long answer(Scenario scenario) {
    return scenario.isCrowded() ? MAX_READS * READ_TIMEOUT : READ_TIMEOUT;
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
   * Longest time until a node receives the counts that another region pushes: a push and a pull,
   * each up to a fifth early or late. A node whose clock is behind applies the counts of a cell
   * with the first pull after the cell has begun by its own clock.
   */
  static long globalLag(Scenario scenario) {
    long interval = scenario.policy().pushPolicy.interval().toNanos() * 14 / 10;
    return (scenario.clocksDiffer(Long.MAX_VALUE) ? 3 : 2) * interval
        + 4 * EXCHANGE_TICK
        + 5 * scenario.slowestDatabaseNanos()
        + lossAtCrash(scenario);
  }

  /** Longest time after the end of a fault until the usual bounds hold again. */
  static long recovery(Scenario scenario, Fault fault) {
    long nanos = ORIGIN_RECOVERY + DATABASE_PAUSE + 2 * globalLag(scenario);
    if (fault.has(FaultTrait.STALLS_DATABASE_CALLS)) {
      nanos += FULL_PULL_TIMEOUT; // a pull of everything may be waiting for a lost answer
    }
    if (fault.has(FaultTrait.LOSES_GLOBAL_COUNTS)) {
      nanos += REPLICA_LAG + FULL_PULL_INTERVAL;
    }
    if (fault.has(FaultTrait.MOVES_CLOCK)) {
      nanos += FULL_PULL_INTERVAL; // a clock that is ahead skips rows as expired
    }
    return nanos;
  }

  /**
   * Longest time until the loss check has read every series: the walk that is under way and a whole
   * one. Until then, an origin that has lost a single cell may not receive its counts again.
   */
  static long lossCheck(Scenario scenario) {
    return 2L * scenario.series() * SECOND / LOSS_CHECKS_PER_SECOND;
  }

  /** Longest time until a node has other regions' counts of a series that it evicted before. */
  static long returnAfterEviction(Scenario scenario) {
    return FULL_PULL_INTERVAL + globalLag(scenario);
  }
}
