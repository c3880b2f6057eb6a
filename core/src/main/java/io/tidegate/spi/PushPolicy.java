package io.tidegate.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * Decides what is worth telling other regions, and how often to look: where accuracy across regions
 * is traded for load on the database.
 *
 * <pre>{@code
 * RateLimiter.builder().region("eu").globalCounters(counters).pushPolicy(PushPolicy.adaptive()).build();
 * }</pre>
 */
public interface PushPolicy {

  /**
   * How often to push and to pull: {@code policy.interval()}. Each time comes up to a fifth of it
   * early or late, so that nodes do not all come at once.
   *
   * @return the interval
   */
  Duration interval();

  /**
   * The shortest window that is published to other regions: {@code policy.shortestWindow()}.
   * Shorter windows are over before other regions could use their counts. They are counted per
   * region: the limiter never asks this policy about them, pushes nothing of them, and ignores rows
   * that other nodes have pushed.
   *
   * @return ten intervals by default
   */
  default Duration shortestWindow() {
    return interval().multipliedBy(10);
  }

  /**
   * Whether to push the count of a cell as it stands: {@code policy.isWorthPushing(use)}.
   *
   * @param use what is known of the cell, of which there is something to push
   * @return whether to push it now; if not, it is asked again when a count has grown
   */
  boolean isWorthPushing(CellUse use);

  /**
   * What is known of a cell when its push is considered.
   *
   * <pre>{@code
   * new CellUse(100, 60_000, 12, 5, 88, false, 2).unpushed() // 7
   * }</pre>
   *
   * @param limit the lowest that something was admitted under, at least 1
   * @param windowMillis the length of the window
   * @param count what this region has counted in the cell
   * @param pushed how much of it has been pushed
   * @param headroom how much the limit has left, by what is known of all regions
   * @param usedElsewhere whether another region is known to use the series, in this or the previous
   *     cell
   * @param regions how many regions there seem to be, at least 2
   */
  record CellUse(
      long limit,
      long windowMillis,
      long count,
      long pushed,
      long headroom,
      boolean usedElsewhere,
      int regions) {

    /**
     * What the other regions cannot know yet: {@code use.unpushed() >= share}.
     *
     * @return count less pushed
     */
    public long unpushed() {
      return count - pushed;
    }
  }

  /**
   * The same policy with another shortest window:
   * {@code PushPolicy.adaptive().withShortestWindow(Duration.ofHours(1))}. A longer one saves rows;
   * a shorter one writes rows that reach other regions late in their window, or after it.
   *
   * @param shortestWindow the shortest window that is published, not negative
   * @return the policy
   */
  default PushPolicy withShortestWindow(Duration shortestWindow) {
    return new WithShortestWindow(this, checkShortestWindow(shortestWindow));
  }

  /**
   * The default: {@code PushPolicy.adaptive()}. Every second, tells
   *
   * <ul>
   *   <li>of every series: a twentieth of its limit, and from then on each doubling. Whoever comes
   *       to use it as well finds at least half of the truth, for about four rows a window;
   *   <li>of a series that another region is known to use, besides: what exceeds this region's
   *       share of half of what is left, or of a fiftieth of the limit if that is more. So all
   *       regions together can exceed the limit by what they accept in the time it takes to tell,
   *       and by half of what was left before.
   * </ul>
   *
   * @return the policy
   */
  static PushPolicy adaptive() {
    return adaptive(Duration.ofSeconds(1));
  }

  /**
   * The same at another pace: {@code PushPolicy.adaptive(Duration.ofSeconds(5))}.
   *
   * @param interval how often to push and to pull, 100 ms to an hour
   * @return the policy
   */
  static PushPolicy adaptive(Duration interval) {
    return new Adaptive(checkInterval(interval));
  }

  /**
   * Tells of every series that has used a fraction of its limit, as often as it changes:
   * {@code PushPolicy.floor(0.5, Duration.ofSeconds(10))}. What stays below in every region, none
   * of the others ever hears of.
   *
   * @param fraction of the limit, 0 to 1, in millionths
   * @param interval how often to push and to pull, 100 ms to an hour
   * @return the policy
   */
  static PushPolicy floor(double fraction, Duration interval) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("fraction must be between 0 and 1: " + fraction);
    }
    return new Floor(Math.round(fraction * Floor.WHOLE), checkInterval(interval));
  }

  /**
   * Refuses an interval that is too short for a database, or for nobody's use:
   * {@code PushPolicy.checkInterval(Duration.ofSeconds(1))}.
   *
   * @param interval the interval
   * @return the interval
   */
  static Duration checkInterval(Duration interval) {
    Objects.requireNonNull(interval, "interval must not be null");
    if (interval.compareTo(Duration.ofMillis(100)) < 0
        || interval.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("interval must be between PT0.1S and PT1H: " + interval);
    }
    return interval;
  }

  /**
   * Refuses a negative shortest window: {@code PushPolicy.checkShortestWindow(Duration.ZERO)}.
   *
   * @param shortestWindow the shortest window that is published
   * @return the shortest window
   */
  static Duration checkShortestWindow(Duration shortestWindow) {
    Objects.requireNonNull(shortestWindow, "shortestWindow must not be null");
    if (shortestWindow.isNegative()) {
      throw new IllegalArgumentException("shortestWindow must not be negative: " + shortestWindow);
    }
    return shortestWindow;
  }
}
