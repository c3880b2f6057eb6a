package io.tidegate.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * Decides which counts are pushed to other regions, and how often: the trade-off between accuracy
 * across regions and load on the global counters. Implementations must be thread-safe and fast.
 *
 * <pre>{@code
 * RateLimiter.builder().region("eu").globalCounters(counters).pushPolicy(PushPolicy.adaptive()).build();
 * }</pre>
 */
public interface PushPolicy {

  /**
   * Returns the time between two pushes, and between two pulls: {@code policy.interval()}. Each one
   * varies by up to a fifth, so that nodes do not call at the same time.
   *
   * @return the interval
   */
  Duration interval();

  /**
   * Returns the shortest window that is shared with other regions: {@code policy.shortestWindow()}.
   * Shorter windows end before other regions could use their counts, so they are limited per
   * region: the limiter neither pushes their counts nor imports counts that other nodes have
   * pushed.
   *
   * @return ten intervals by default
   */
  default Duration shortestWindow() {
    return interval().multipliedBy(10);
  }

  /**
   * Decides whether to push the current count of a cell: {@code policy.isWorthPushing(use)}.
   *
   * @param use the state of a cell with an unpushed count
   * @return whether to push now; if not, the limiter asks again when a count has grown
   */
  boolean isWorthPushing(CellUse use);

  /**
   * The state of a cell when a push is considered.
   *
   * <pre>{@code
   * new CellUse(100, 60_000, 12, 5, 88, 1).unpushed() // 7
   * }</pre>
   *
   * @param limit the lowest limit of an admitted request, at least 1
   * @param windowMillis the length of the window
   * @param count the regional count of the cell
   * @param pushed the part of the regional count that has been pushed
   * @param headroom the tokens left, considering the imported counts of other regions
   * @param regions number of regions that have reported a count of the series, in this or the
   *     previous cell, including this one
   */
  record CellUse(
      long limit, long windowMillis, long count, long pushed, long headroom, int regions) {

    /**
     * Returns whether another region has reported a count: {@code use.usedElsewhere()}.
     *
     * @return whether there is more than one region
     */
    public boolean usedElsewhere() {
      return regions > 1;
    }

    /**
     * Returns the count that other regions have not received: {@code use.unpushed() >= share}.
     *
     * @return count minus pushed
     */
    public long unpushed() {
      return count - pushed;
    }
  }

  /**
   * Returns this policy with another shortest window:
   * {@code PushPolicy.adaptive().withShortestWindow(Duration.ofHours(1))}. A longer one saves rows.
   * Rows of a shorter one reach other regions late in their window, or after it.
   *
   * @param shortestWindow the shortest window that is shared, not negative
   * @return the policy
   */
  default PushPolicy withShortestWindow(Duration shortestWindow) {
    return new WithShortestWindow(this, checkShortestWindow(shortestWindow));
  }

  /**
   * Returns the default policy: {@code PushPolicy.adaptive()}. Every 250 ms, it pushes
   *
   * <ul>
   *   <li>every series that has used a twentieth of its limit, and then each time its count has
   *       doubled. A region that starts to use the series finds at least half of the count, for
   *       about four rows per window;
   *   <li>in addition, every series that another region uses too, when the unpushed count reaches
   *       this region's share of half of the headroom, or of a fiftieth of the limit if that is
   *       more. All regions together then overshoot a limit by the tokens that they admit while a
   *       push is on its way, and by half of the headroom before.
   * </ul>
   *
   * @return the policy
   */
  static PushPolicy adaptive() {
    return adaptive(Duration.ofMillis(250));
  }

  /**
   * Returns the default policy with another interval:
   * {@code PushPolicy.adaptive(Duration.ofSeconds(5))}.
   *
   * @param interval the time between two pushes and between two pulls, 100 ms to an hour
   * @return the policy
   */
  static PushPolicy adaptive(Duration interval) {
    return new Adaptive(checkInterval(interval));
  }

  /**
   * Returns a policy that pushes every change of a series that has used a fraction of its limit:
   * {@code PushPolicy.floor(0.5, Duration.ofSeconds(10))}. Counts below the fraction stay in their
   * region.
   *
   * @param fraction the fraction of the limit, 0 to 1, rounded to millionths
   * @param interval the time between two pushes and between two pulls, 100 ms to an hour
   * @return the policy
   */
  static PushPolicy floor(double fraction, Duration interval) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("fraction must be between 0 and 1: " + fraction);
    }
    return new Floor(Math.round(fraction * Floor.WHOLE), checkInterval(interval));
  }

  /**
   * Rejects an interval that is too short for a database, or too long to be useful:
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
   * Rejects a negative shortest window: {@code PushPolicy.checkShortestWindow(Duration.ZERO)}.
   *
   * @param shortestWindow the shortest window that is shared
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
