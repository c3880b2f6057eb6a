package io.tidegate.server.observe;

import io.tidegate.model.LimiterStats;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Meters of the limiter's {@link LimiterStats}. All meters of a scrape show one snapshot, taken by
 * {@link #refresh}, so that they are consistent.
 */
final class SeriesMetrics {

  private final Registry registry;
  private volatile Supplier<LimiterStats> source =
      () -> new LimiterStats(0, 0, 0, 0, 0, 0, -1, -1, 0, 0, false, 0, Optional.empty(), false);
  private volatile LimiterStats stats = source.get();

  SeriesMetrics(Registry registry) {
    this.registry = registry;
    gauge(LimiterStats::series, "series", "Series in memory");
    counter(
        LimiterStats::createdSeries,
        "series_created_total",
        "Series created by requests to this node");
    counter(
        LimiterStats::importedSeries,
        "global_series_created_total",
        "Series created by pulls of other regions' counts");
    counter(LimiterStats::expiredSeries, "series_expired_total", "Series removed after their time");
    counter(
        LimiterStats::evictedSeries,
        "series_evicted_total",
        "Live series removed because max-series was reached");
    gauge(
        LimiterStats::unconfirmedSeries,
        "unconfirmed_series",
        "Series with counts that the origin has not confirmed");
    counter(
        LimiterStats::lostTokens,
        "lost_tokens_total",
        "Admitted tokens that the origin never confirmed");
    counter(
        LimiterStats::unpushedSeries,
        "unpushed_series_total",
        "Series evicted before their counts were pushed to other regions");
    gauge(
        known -> seconds(known.millisSincePush()),
        "global_seconds_since_push",
        "Seconds since the last complete push; NaN before the first");
    gauge(
        known -> seconds(known.millisSincePull()),
        "global_seconds_since_pull",
        "Seconds since this node last completed a pull; NaN before the first");
    gauge(
        LimiterStats::liveNodes,
        "live_nodes",
        "Live nodes of this region, by the origin; 0 before it has answered");
    gauge(
        known -> known.reading() ? 1 : 0,
        "reading",
        "1 while this node reads the counts of other regions, for its region or for itself, else 0");
  }

  /** Sets the source of the statistics. Called once, when the limiter has been built. */
  void from(Supplier<LimiterStats> source) {
    this.source = source;
  }

  /** Takes a new snapshot of the statistics. */
  synchronized void refresh() {
    stats = source.get();
  }

  /** The statistics at this moment. */
  LimiterStats current() {
    return source.get();
  }

  private void gauge(ToDoubleFunction<LimiterStats> figure, String name, String help) {
    registry.gauge(() -> figure.applyAsDouble(stats), "tidegate_ratelimit_" + name, help);
  }

  private void counter(ToDoubleFunction<LimiterStats> figure, String name, String help) {
    registry.counter(() -> figure.applyAsDouble(stats), "tidegate_ratelimit_" + name, help);
  }

  /** Statistics report -1 for an event that has not happened. */
  private static double seconds(long millis) {
    return millis < 0 ? Double.NaN : millis / 1000.0;
  }
}
