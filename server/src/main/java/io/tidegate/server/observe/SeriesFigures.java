package io.tidegate.server.observe;

import io.tidegate.model.LimiterStats;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Shows what the limiter holds in memory, asked once per scrape. */
final class SeriesFigures {

  private final Registry registry;
  private volatile Supplier<LimiterStats> source =
      () -> new LimiterStats(0, 0, 0, 0, 0, 0, -1, -1, 0, 0, false);
  private volatile LimiterStats stats = source.get();

  SeriesFigures(Registry registry) {
    this.registry = registry;
    gauge(LimiterStats::series, "series", "Series in memory");
    counter(
        LimiterStats::createdSeries,
        "series_created_total",
        "Series created because of a request to this node");
    counter(
        LimiterStats::importedSeries,
        "global_series_created_total",
        "Series created because a pull brought counts of another region");
    counter(
        LimiterStats::expiredSeries, "series_expired_total", "Series forgotten after their time");
    counter(
        LimiterStats::evictedSeries,
        "series_evicted_total",
        "Live series forgotten because there were too many");
    gauge(
        LimiterStats::unconfirmedSeries,
        "unconfirmed_series",
        "Series with counts that Redis has not confirmed");
    counter(LimiterStats::lostTokens, "lost_tokens_total", "Tokens that Redis never learned of");
    counter(
        LimiterStats::unpushedSeries,
        "unpushed_series_total",
        "Evicted series that other regions never heard of");
    gauge(
        known -> seconds(known.millisSincePush()),
        "global_seconds_since_push",
        "Since all that was worth it had been told to other regions; NaN if never");
    gauge(
        known -> seconds(known.millisSincePull()),
        "global_seconds_since_pull",
        "Since counts of other regions were read; NaN if never");
  }

  void from(Supplier<LimiterStats> source) {
    this.source = source;
  }

  /** Asks the limiter again; a scrape shows what it told last. */
  synchronized void refresh() {
    stats = source.get();
  }

  private void gauge(ToDoubleFunction<LimiterStats> figure, String name, String help) {
    registry.gauge(() -> figure.applyAsDouble(stats), "tidegate_ratelimit_" + name, help);
  }

  private void counter(ToDoubleFunction<LimiterStats> figure, String name, String help) {
    registry.counter(() -> figure.applyAsDouble(stats), "tidegate_ratelimit_" + name, help);
  }

  private static double seconds(long millis) {
    return millis < 0 ? Double.NaN : millis / 1000.0;
  }
}
