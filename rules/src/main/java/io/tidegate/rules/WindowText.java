package io.tidegate.rules;

import io.tidegate.model.Bounds;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of windows as rule files write them: a unit, or a number with a unit. */
final class WindowText {

  /** The units in the order of their length, for messages. */
  static final String UNITS = "second, minute, hour, day, week, month, year";

  /** Months and years as envoyproxy/ratelimit has them. */
  private static final Map<String, Duration> UNIT_LENGTHS = Map.of(
      "second", Duration.ofSeconds(1),
      "minute", Duration.ofMinutes(1),
      "hour", Duration.ofHours(1),
      "day", Duration.ofDays(1),
      "week", Duration.ofDays(7),
      "month", Duration.ofDays(30),
      "year", Duration.ofDays(365));

  /** 11 digits are enough for the longest window in milliseconds, and cannot overflow. */
  private static final Pattern WINDOW = Pattern.compile("(\\d{1,11})(ms|s|m|h|d)");

  private WindowText() {}

  /** Returns the milliseconds of a unit such as {@code minute}, in lower or upper case. */
  static Optional<Long> ofUnit(String unit) {
    return Optional.ofNullable(UNIT_LENGTHS.get(unit.toLowerCase(Locale.ROOT)))
        .map(Duration::toMillis);
  }

  /** Returns the milliseconds of a window such as {@code 10m}; empty if invalid or out of range. */
  static Optional<Long> ofWindow(String window) {
    Matcher matcher = WINDOW.matcher(window);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration length = switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
    return Optional.of(length.toMillis())
        .filter(millis -> millis >= Bounds.MIN_WINDOW_MILLIS)
        .filter(millis -> millis <= Bounds.MAX_WINDOW_MILLIS);
  }
}
