package io.tidegate.server.gateway;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The units of limits in Envoy's messages; months and years as envoyproxy/ratelimit has them. */
enum Unit {
  SECOND(1, Duration.ofSeconds(1)),
  MINUTE(2, Duration.ofMinutes(1)),
  HOUR(3, Duration.ofHours(1)),
  DAY(4, Duration.ofDays(1)),
  MONTH(5, Duration.ofDays(30)),
  YEAR(6, Duration.ofDays(365)),
  WEEK(7, Duration.ofDays(7));

  /** Sent for a window that is no unit; Envoy's headers then do not contain the window. */
  private static final int UNKNOWN = 0;

  private static final Unit[] ALL = values();

  private final int number;
  private final long millis;

  Unit(int number, Duration window) {
    this.number = number;
    this.millis = window.toMillis();
  }

  long millis() {
    return millis;
  }

  /** The unit with this number in messages; null if there is none. */
  static @Nullable Unit ofNumber(long number) {
    for (Unit unit : ALL) {
      if (unit.number == number) {
        return unit;
      }
    }
    return null;
  }

  /** The number of the unit of a window; 0 if the window is no unit. */
  static int numberOf(long windowMillis) {
    Unit unit = ofMillis(windowMillis);
    return unit == null ? UNKNOWN : unit.number;
  }

  /** The unit of a window; null if the window is no unit. */
  static @Nullable Unit ofMillis(long windowMillis) {
    for (Unit unit : ALL) {
      if (unit.millis == windowMillis) {
        return unit;
      }
    }
    return null;
  }
}
