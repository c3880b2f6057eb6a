package io.tidegate.global;

import java.time.Duration;

/**
 * The durations of the global layer. They are not settings: nodes that differed in them would trade
 * accuracy for load in ways that are hard to predict. The {@link io.tidegate.spi.PushPolicy} is the
 * setting, because limits differ between users.
 */
final class GlobalTimings {

  /**
   * How often the layer checks whether something is due. Also the shortest time between two chunks
   * of a push, which leaves the database time for other writers.
   */
  static final Duration TICK = Duration.ofMillis(20);

  /** How often all counts are pulled, not only changed ones: repairs whatever was missed. */
  static final Duration FULL_PULL_INTERVAL = Duration.ofMinutes(1);

  /**
   * The same while live series are evicted. A series that returns has lost the counts of other
   * regions, and a minute without them would be too long.
   */
  static final Duration FULL_PULL_INTERVAL_WHEN_FULL = Duration.ofSeconds(10);

  /**
   * Timeout of a push or a pull. No decision waits for it, and a database that is slow for a moment
   * must not receive the same call again meanwhile.
   */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * Longest time between two rows of a full pull. A full pull may take long (eight seconds for a
   * million rows, measured), but one that delivers nothing for this long has failed.
   */
  static final Duration FULL_PULL_SILENCE = Duration.ofMinutes(1);

  /** Timeout of a full pull that keeps delivering rows: longer than any table takes. */
  static final Duration FULL_PULL_TIMEOUT = Duration.ofMinutes(30);

  /** How long a failing database is left alone: relief for it, and not too long for the counts. */
  static final Duration PAUSE = Duration.ofSeconds(5);

  /** Time without a count after which a region no longer counts as one: two full pulls. */
  static final Duration REGION_LIFETIME = Duration.ofMinutes(2);

  /**
   * How far a cell may lie ahead of this node's clock to be kept until it begins. Clocks that
   * differ by more are broken, and the next full pull brings the counts again.
   */
  static final Duration FARTHEST_AHEAD = Duration.ofMinutes(5);

  /** How long closing waits until pending counts are pushed. */
  static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(2);

  /** How often closing checks whether the next chunk can be pushed: a chunk takes some 20 ms. */
  static final Duration FLUSH_STEP = Duration.ofMillis(2);

  /**
   * How often to check whether another region uses the same name. A mistake of configuration lasts
   * for days, so seconds do not matter.
   */
  static final Duration NAME_CHECK_INTERVAL = Duration.ofSeconds(10);

  /** How long a name conflict is reported after it was last found: some checks may fail. */
  static final Duration NAME_CONFLICT_LIFETIME = Duration.ofMinutes(1);

  private GlobalTimings() {}
}
