package io.tidegate.server.config;

import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * Exchange of counts with other regions. {@link CatalogConfig} has the database.
 *
 * @param pushPolicy selects the counts to push, and when
 * @param cleanup whether this node deletes expired rows
 */
public record GlobalCountersConfig(PushPolicy pushPolicy, boolean cleanup) {

  /** The bounds of {@link PushPolicy#checkInterval}. */
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  /** A floor pushes every change, so a shorter interval would write far more rows than adaptive. */
  private static final Duration FLOOR_INTERVAL = Duration.ofSeconds(10);

  static GlobalCountersConfig read(Settings settings) {
    settings.require(Setting.PUSH_POLICY, Setting.JDBC_URL);
    settings.require(Setting.PUSH_INTERVAL, Setting.JDBC_URL);
    settings.require(Setting.CLEANUP, Setting.JDBC_URL);
    return new GlobalCountersConfig(pushPolicy(settings), settings.isOn(Setting.CLEANUP));
  }

  private static PushPolicy pushPolicy(Settings settings) {
    Optional<Duration> interval =
        settings.duration(Setting.PUSH_INTERVAL, SHORTEST_INTERVAL, LONGEST_INTERVAL);
    return settings
        .value(Setting.PUSH_POLICY, text -> pushPolicy(text, interval))
        .orElseThrow();
  }

  private static PushPolicy pushPolicy(String text, Optional<Duration> interval) {
    if (text.equals("adaptive")) {
      return interval.map(PushPolicy::adaptive).orElseGet(PushPolicy::adaptive);
    }
    if (text.matches("floor:(0(\\.\\d{1,6})?|1(\\.0{1,6})?)")) {
      double fraction = Double.parseDouble(text.substring("floor:".length()));
      return PushPolicy.floor(fraction, interval.orElse(FLOOR_INTERVAL));
    }
    throw new IllegalArgumentException(
        "must be adaptive, or floor with a fraction of the limit such as floor:0.5");
  }
}
