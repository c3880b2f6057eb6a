package io.tidegate.micrometer;

import io.tidegate.model.LimiterStats;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Meters of the limiter's {@link LimiterStats}, which each of them reads anew. */
final class SeriesMetrics {

  /** Before {@link #from}: nothing has happened yet. */
  private volatile Supplier<LimiterStats> source =
      () -> new LimiterStats(0, 0, 0, 0, 0, 0, -1, -1, 0, 0, false, 0, Optional.empty(), false);

  SeriesMetrics(Meters meters) {
    gauge(meters, LimiterStats::series, "ratelimit.series", "Series in memory");
    // Not "created", a suffix that is reserved in Prometheus' client and would be removed.
    counter(
        meters,
        LimiterStats::createdSeries,
        "ratelimit.series.added",
        "Series created by requests to this node");
    counter(
        meters,
        LimiterStats::importedSeries,
        "ratelimit.global.series.added",
        "Series created by pulls of other regions' counts");
    counter(
        meters,
        LimiterStats::expiredSeries,
        "ratelimit.series.expired",
        "Series removed after their time");
    counter(
        meters,
        LimiterStats::evictedSeries,
        "ratelimit.series.evicted",
        "Live series removed because max-series was reached");
    gauge(
        meters,
        LimiterStats::unconfirmedSeries,
        "ratelimit.unconfirmed.series",
        "Series with counts that the origin has not confirmed");
    counter(
        meters,
        LimiterStats::lostTokens,
        "ratelimit.lost.tokens",
        "Admitted tokens that the origin never confirmed");
    counter(
        meters,
        LimiterStats::unpushedSeries,
        "ratelimit.unpushed.series",
        "Series evicted before their counts were pushed to other regions");
    gauge(
        meters,
        stats -> seconds(stats.millisSincePush()),
        "ratelimit.global.seconds.since.push",
        "Seconds since the last complete push; NaN before the first");
    gauge(
        meters,
        stats -> seconds(stats.millisSincePull()),
        "ratelimit.global.seconds.since.pull",
        "Seconds since this node last completed a pull; NaN before the first");
    gauge(
        meters,
        LimiterStats::liveNodes,
        "ratelimit.live.nodes",
        "Live nodes of this region, by the origin; 0 before it has answered");
    gauge(
        meters,
        stats -> stats.reading() ? 1 : 0,
        "ratelimit.reading",
        "1 while this node reads the counts of other regions, for its region or for itself, else 0");
    gauge(
        meters,
        stats -> stats.regionNameConflict() ? 1 : 0,
        "region.name.conflict",
        "1 while another region uses the same name, else 0");
  }

  /** Sets the source of the statistics. */
  void from(Supplier<LimiterStats> source) {
    this.source = source;
  }

  private void gauge(
      Meters meters, ToDoubleFunction<LimiterStats> figure, String name, String description) {
    meters.gauge(this, metrics -> figure.applyAsDouble(metrics.source.get()), name, description);
  }

  private void counter(
      Meters meters, ToDoubleFunction<LimiterStats> figure, String name, String description) {
    meters.counter(this, metrics -> figure.applyAsDouble(metrics.source.get()), name, description);
  }

  /** Statistics report -1 for an event that has not happened. */
  private static double seconds(long millis) {
    return millis < 0 ? Double.NaN : millis / 1000.0;
  }
}
