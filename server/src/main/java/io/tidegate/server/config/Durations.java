package io.tidegate.server.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as they are written in settings and flags. */
public final class Durations {

  /** Bounds the amount: eleven digits are three years in milliseconds, and fit a long in days. */
  private static final Pattern FORM = Pattern.compile("(\\d{1,11})(ms|s|m|h|d)");

  private Durations() {}

  /**
   * Parses {@code 500ms}, {@code 60s}, {@code 5m}, {@code 1h} or {@code 30d}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be a time such as 500ms, 60s, 5m or 1h");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /** Formats a duration in the largest unit up to hours without a fraction. */
  public static String show(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    return seconds % 3_600 == 0 && seconds > 0
        ? seconds / 3_600 + "h"
        : seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
