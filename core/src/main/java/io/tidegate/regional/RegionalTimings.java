package io.tidegate.regional;

import io.tidegate.model.WindowRules;
import java.time.Duration;

/**
 * The durations of the regional layer. They are not settings: the guarantees on overshoot and on
 * recovery are derived from them and hold only if all nodes agree.
 */
final class RegionalTimings {

  /**
   * How often changed counts are sent, and overdue calls fail. Bounds the age of peers' counts on a
   * busy series to about 10 ms, at no more than 100 messages a second per series and node. Beside
   * them, a node exchanges counts at once when it has spent half of its share.
   */
  static final Duration TICK = Duration.ofMillis(10);

  /** How often a node registers as alive: a joining node is known to the others within a second. */
  static final Duration REGISTRATION_INTERVAL = Duration.ofSeconds(1);

  /**
   * How long a node counts as alive without another registration: two may be lost. Until then, a
   * killed node makes the shares of the others smaller.
   */
  static final Duration REGISTRATION_LIFETIME = Duration.ofSeconds(3);

  /** How long a decision waits for a read. A stalled origin must not stall the callers. */
  static final Duration READ_TIMEOUT = Duration.ofMillis(300);

  /** How long to wait for calls that no decision waits for: a lost answer only costs a retry. */
  static final Duration BACKGROUND_TIMEOUT = Duration.ofSeconds(1);

  /** How long reads leave a failing part of the origin alone before they try it again. */
  static final Duration READ_PAUSE = Duration.ofSeconds(5);

  /**
   * The same for calls that no decision waits for. Shorter, because a try delays no caller: after
   * an outage, counts are complete within a second.
   */
  static final Duration BACKGROUND_PAUSE = Duration.ofMillis(500);

  /**
   * Time from a failed replay of a series to the next: long enough to give a failing origin relief,
   * short enough that counts are complete within a second after an outage.
   */
  static final long REPLAY_RETRY_NANOS = Duration.ofMillis(300).toNanos();

  /** Time from a failed read of a series to the next: not one read for every request. */
  static final long READ_RETRY_NANOS = Duration.ofMillis(300).toNanos();

  /**
   * How long requests for a series do not wait after a failed read of it. Longer than a retry and
   * its timeout, so that each series waits once in an outage; short enough that one failure does
   * not leave a series unread when the origin works again.
   */
  static final long NO_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  /** Interval of loss checks. With 4 series each, a node makes 40 reads a second. */
  static final long LOSS_CHECK_NANOS = Duration.ofMillis(100).toNanos();

  /**
   * Shortest time from the end of one resending of all counts to the next. Answers to earlier
   * messages show the same loss meanwhile.
   */
  static final long SHORTEST_RESEND_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  /** Longest such time: an origin that keeps losing counts, out of memory, gets more relief. */
  static final long LONGEST_RESEND_PAUSE_NANOS = Duration.ofSeconds(8).toNanos();

  /** Time without a loss after which the next one is treated as the first. */
  static final long CALM_NANOS = Duration.ofMinutes(1).toNanos();

  /** How long closing waits for the origin to confirm the pending counts. */
  static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(2);

  /**
   * Windows, from the start of a cell, in which the origin must hold the confirmed counts of the
   * cell. The origin keeps a cell for its whole lifetime; one window is left for clocks that
   * differ.
   */
  static final int ORIGIN_HOLDS_WINDOWS = WindowRules.CELL_LIFETIME_WINDOWS - 1;

  private RegionalTimings() {}
}
