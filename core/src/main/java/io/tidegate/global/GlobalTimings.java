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

  /**
   * How often all counts are pulled, not only changed ones: repairs whatever was missed. Also how
   * often pushed counts are checked.
   */
  static final Duration FULL_PULL_INTERVAL = Duration.ofMinutes(1);

  /**
   * The same while counts are known to be missing, for which a minute would be too long: the origin
   * has not stored some, or a node that pulls for itself evicts live series.
   */
  static final Duration REPAIR_INTERVAL = Duration.ofSeconds(10);

  /**
   * Timeout of a push or a pull. No decision waits for it, and a database that is slow for a moment
   * must not receive the same call again meanwhile.
   */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * Longest time without a row of a pull. A full pull may take long (eight seconds for a million
   * rows, measured), but one that delivers nothing for this long has failed: a table that has to be
   * read from disk takes some seconds until its first row.
   */
  static final Duration PULL_SILENCE = Duration.ofSeconds(20);

  /** Timeout of a full pull that keeps delivering rows: longer than any table takes. */
  static final Duration FULL_PULL_TIMEOUT = Duration.ofMinutes(30);

  /**
   * How long a failing database is left alone: relief for it, and not too long for the counts. Also
   * how long a node whose pull has failed leaves pulls to the other nodes of its region.
   */
  static final Duration PAUSE = Duration.ofSeconds(5);

  /** How long an operator who inspects a series waits: as long as for the origin. */
  static final Duration INSPECTION_TIMEOUT = Duration.ofSeconds(1);

  /** How long inspections leave a failing database alone. Short, because an operator waits. */
  static final Duration INSPECTION_PAUSE = Duration.ofMillis(500);

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
