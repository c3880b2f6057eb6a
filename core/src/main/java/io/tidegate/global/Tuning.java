package io.tidegate.global;

import java.time.Duration;

/**
 * The constants of the exchange between regions. They are no settings: nodes that differed in them
 * would trade accuracy and load in ways that nobody could foresee. What may differ, because users'
 * limits do, is the {@link io.tidegate.spi.PushPolicy}.
 */
final class Tuning {

  /** How often to see whether something is due. Also the shortest time between two chunks. */
  static final Duration TICK = Duration.ofMillis(20);

  /** Ticks come up to this part of an interval early or late: nodes must not come in convoys. */
  static final double JITTER = 0.2;

  /** How often all is pulled, not only what has changed: repairs whatever was missed. */
  static final Duration FULL_PULL_INTERVAL = Duration.ofMinutes(1);

  /**
   * The same while live series have to make room: one that comes back has forgotten what other
   * regions counted, and should not be free of it for a minute.
   */
  static final Duration FULL_PULL_INTERVAL_WHEN_FULL = Duration.ofSeconds(10);

  /**
   * How long to wait for a push or a pull. Nobody waits with us, and a database that is slow for a
   * moment should not be asked again meanwhile.
   */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * How long to wait for the next row of a pull of everything. That takes as long as it takes (a
   * million rows were seen to take eight seconds), but one that has fallen silent is given up.
   */
  static final Duration FULL_PULL_SILENCE = Duration.ofMinutes(1);

  /** How long to wait for a pull of everything, however busy: longer than any table takes. */
  static final Duration FULL_PULL_TIMEOUT = Duration.ofMinutes(30);

  /**
   * How long to leave a failing database alone: long enough for it, short enough for the counts.
   */
  static final Duration PAUSE = Duration.ofSeconds(5);

  /**
   * Most components in one push. A tick seldom has more; a statement of so many takes some twenty
   * milliseconds, and others who write the same rows wait for it.
   */
  static final int CHUNK = 500;

  /** Regions that have told nothing for so long are not counted as regions. */
  static final Duration REGION_LIFE = Duration.ofMinutes(2);

  /** More regions than anybody has; beyond it, something else has written there. */
  static final int MOST_REGIONS = 100;

  /**
   * Components of cells that have not begun here, because our clock is behind: how far, how many.
   */
  static final Duration FARTHEST_AHEAD = Duration.ofMinutes(5);

  static final int MOST_AHEAD = 100_000;

  /** Most series looked at in one tick, which other work waits for. */
  static final int MOST_LOOKED_AT = 20_000;

  /** How long closing waits for what is left to be pushed. */
  static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);

  /**
   * How often to check whether another region has the same name: a mistake of a day, not a second.
   */
  static final Duration NAME_CHECK_INTERVAL = Duration.ofSeconds(10);

  /** How long a conflict of names is reported after it was last found: some checks may fail. */
  static final Duration NAME_CONFLICT_LIFE = Duration.ofMinutes(1);

  private Tuning() {}
}
