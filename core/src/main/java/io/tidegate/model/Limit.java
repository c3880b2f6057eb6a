package io.tidegate.model;

import java.time.Duration;

/**
 * A number of tokens per window: {@code Limit.perMinute(100)}.
 *
 * <p>Requests with different limits and the same window share one count.
 *
 * @param tokens tokens per window, 0 to 10^12; 0 denies everything
 * @param windowMillis length of the window, one second to 366 days
 */
public record Limit(long tokens, long windowMillis) {

  /** Rejects values outside {@link Bounds}. */
  public Limit {
    Bounds.checkTokens("limit", tokens);
    Bounds.checkWindow(windowMillis);
  }

  /**
   * Creates a limit for any window: {@code Limit.of(5, Duration.ofSeconds(10))}.
   *
   * @param tokens tokens per window
   * @param window length of the window, in whole milliseconds
   * @return the limit
   */
  public static Limit of(long tokens, Duration window) {
    return new Limit(tokens, Bounds.checkWindow(window));
  }

  /**
   * Creates a limit per second: {@code Limit.perSecond(5)}.
   *
   * @param tokens tokens per second
   * @return the limit
   */
  public static Limit perSecond(long tokens) {
    return of(tokens, Duration.ofSeconds(1));
  }

  /**
   * Creates a limit per minute: {@code Limit.perMinute(100)}.
   *
   * @param tokens tokens per minute
   * @return the limit
   */
  public static Limit perMinute(long tokens) {
    return of(tokens, Duration.ofMinutes(1));
  }

  /**
   * Creates a limit per hour: {@code Limit.perHour(1_000)}.
   *
   * @param tokens tokens per hour
   * @return the limit
   */
  public static Limit perHour(long tokens) {
    return of(tokens, Duration.ofHours(1));
  }

  /**
   * Creates a limit per 24 hours: {@code Limit.perDay(10_000)}.
   *
   * @param tokens tokens per day
   * @return the limit
   */
  public static Limit perDay(long tokens) {
    return of(tokens, Duration.ofDays(1));
  }
}
