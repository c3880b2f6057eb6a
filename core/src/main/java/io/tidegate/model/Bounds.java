package io.tidegate.model;

import java.time.Duration;
import java.util.Objects;

/**
 * The range of every value that a caller may pass, and checks for it.
 *
 * <p>Within the bounds no sum or product of the limiter overflows. A value outside is rejected with
 * a message that shows it:
 *
 * <pre>{@code
 * Limit.perMinute(-3); // IllegalArgumentException: limit must be between 0 and 1000000000000: -3
 * }</pre>
 */
public final class Bounds {

  /**
   * Highest limit and highest cost: 10^12 needs 40 bits, which leaves 24 bits of a word for the
   * state of a cell.
   */
  public static final long MAX_TOKENS = 1_000_000_000_000L;

  /** Shortest window: one second. */
  public static final long MIN_WINDOW_MILLIS = 1_000;

  /** Longest window: 366 days, so that a leap year fits. */
  public static final long MAX_WINDOW_MILLIS = 366L * 24 * 60 * 60 * 1_000;

  /** Longest workspace, namespace or identifier, in Unicode code points. */
  public static final int MAX_NAME_LENGTH = 512;

  /** Maximum number of requests in a batch. */
  public static final int MAX_BATCH_SIZE = 1_000;

  /** Longest time before or after 1970: 10^15 ms, some 31,000 years. */
  public static final long MAX_TIME_MILLIS = 1_000_000_000_000_000L;

  private Bounds() {}

  /**
   * Rejects a limit or a cost that is out of range: {@code Bounds.checkTokens("cost", 3)}.
   *
   * @param name the name of the value, for the message
   * @param tokens the value
   * @return the value
   */
  public static long checkTokens(String name, long tokens) {
    return checkBetween(name, tokens, 0, MAX_TOKENS);
  }

  /**
   * Rejects a window that is out of range: {@code Bounds.checkWindow(60_000)}.
   *
   * @param windowMillis the window
   * @return the window
   */
  public static long checkWindow(long windowMillis) {
    return checkBetween(
        "window in milliseconds", windowMillis, MIN_WINDOW_MILLIS, MAX_WINDOW_MILLIS);
  }

  /**
   * Rejects a window that is out of range or not of whole milliseconds:
   * {@code Bounds.checkWindow(Duration.ofMinutes(1))}.
   *
   * @param window the window
   * @return the window in milliseconds
   */
  public static long checkWindow(Duration window) {
    Objects.requireNonNull(window, "window must not be null");
    Duration min = Duration.ofMillis(MIN_WINDOW_MILLIS);
    Duration max = Duration.ofMillis(MAX_WINDOW_MILLIS);
    if (window.compareTo(min) < 0 || window.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "window must be between " + min + " and " + max + ": " + window);
    }
    if (window.toNanosPart() % 1_000_000 != 0) {
      throw new IllegalArgumentException("window must be of whole milliseconds: " + window);
    }
    return window.toMillis();
  }

  /**
   * Rejects a time that is out of range: {@code Bounds.checkTime(clock.millis())}.
   *
   * @param nowMillis milliseconds since 1970, negative before
   * @return the time
   */
  public static long checkTime(long nowMillis) {
    return checkBetween("time in milliseconds", nowMillis, -MAX_TIME_MILLIS, MAX_TIME_MILLIS);
  }

  /**
   * Rejects a batch that is empty or too large: {@code Bounds.checkBatchSize(requests.size())}.
   *
   * @param size the number of requests
   * @return the size
   */
  public static int checkBatchSize(int size) {
    return (int) checkBetween("number of requests in a batch", size, 1, MAX_BATCH_SIZE);
  }

  /**
   * Rejects an absent, empty or over-long workspace, namespace or identifier:
   * {@code Bounds.checkName("workspace", "acme")}.
   *
   * @param name the name of the value, for the message
   * @param value the value
   * @return the value
   */
  public static String checkName(String name, String value) {
    if (value == null) {
      throw new NullPointerException(name + " must not be null");
    }
    int chars = value.length();
    if (chars == 0) {
      throw new IllegalArgumentException(name + " must not be empty");
    }
    // A code point has one or two chars, so shorter names need no counting.
    if (chars > MAX_NAME_LENGTH && value.codePointCount(0, chars) > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException("%s must have at most %d characters, it has %d: %s..."
          .formatted(
              name, MAX_NAME_LENGTH, value.codePointCount(0, chars), value.substring(0, 32)));
    }
    return value;
  }

  private static long checkBetween(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be between " + min + " and " + max + ": " + value);
    }
    return value;
  }
}
