package io.tidegate.local;

import java.time.Duration;

/**
 * The durations of the local layer. They are not settings: all nodes of a region must agree on how
 * long an answer of the origin is used, or one node would overshoot limits for all.
 *
 * <p>Durations that follow from a window are in {@link io.tidegate.model.WindowRules}.
 */
final class LocalTimings {

  /**
   * How long an answer of the origin stays fresh, in elapsed time. Replays of an active series
   * renew it every few milliseconds. For other series, 5 s bounds how much the other nodes can
   * admit unseen, at no more than one read of the origin per series in 5 s.
   */
  static final long FRESH_MILLIS = Duration.ofSeconds(5).toMillis();

  /**
   * How old an answer may be for a peek. A caller peeks to learn the count, so 5 s would be too
   * old; one read in 100 ms serves all peeks at the series.
   */
  static final long PEEK_FRESH_MILLIS = Duration.ofMillis(100).toMillis();

  /**
   * How long after the end of a cell its last counts may still reach the origin: a tick, an answer,
   * and a retry of the node that sends them.
   */
  static final long LAST_COUNTS_MILLIS = Duration.ofSeconds(1).toMillis();

  /**
   * Time over which the second reads of a cell are spread: the windows of many series end at the
   * same instant, and their reads must not arrive at the origin at once.
   */
  static final long SECOND_READ_SPREAD_MILLIS = Duration.ofSeconds(4).toMillis();

  /**
   * How often a step of the sweep runs. Short enough that a step of bounded size keeps up with
   * 80,000 series a second, long enough to cost next to nothing when there are none.
   */
  static final Duration SWEEP_INTERVAL = Duration.ofMillis(250);

  /**
   * Difference between elapsed time and clock below which the two are left as they are: it is
   * rounding, and all decisions read the field that a correction would write.
   */
  static final long ALIGNED_MILLIS = 5;

  private LocalTimings() {}
}
