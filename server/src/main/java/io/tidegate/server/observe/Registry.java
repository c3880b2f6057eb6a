package io.tidegate.server.observe;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.tidegate.micrometer.LimiterMetrics;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Registry of all meters of a node, under the names that Prometheus shows.
 *
 * <p>Counters are adders, which cost a few nanoseconds to raise and are summed by a scrape.
 * Counters of Micrometer itself cost several times as much.
 */
final class Registry {

  /**
   * Meters that are left out: two because their names break Prometheus' rules, and one of the
   * limiter, which {@link Health} shows instead.
   */
  private static final Set<String> OMITTED =
      Set.of("process.cpu.time", "system.cpu.count", "tidegate.region.name.conflict");

  private static final double NANOS_PER_SECOND = 1e9;

  private final PrometheusRegistry families = new PrometheusRegistry();
  private final PrometheusMeterRegistry meters = new LatencyRegistry();

  Registry() {
    meters
        .config()
        .namingConvention(new OwnNames())
        .meterFilter(MeterFilter.deny(id -> OMITTED.contains(id.getName())));
  }

  /** Registers a counter and returns its adder, which the counting class keeps. */
  LongAdder counter(String name, String help, String... labels) {
    LongAdder adder = new LongAdder();
    FunctionCounter.builder(name, adder, LongAdder::sum)
        .description(help)
        .tags(labels)
        .register(meters);
    return adder;
  }

  /** Registers a counter whose total each scrape computes. The total must not shrink. */
  void counter(Supplier<Number> total, String name, String help, String... labels) {
    // Micrometer refers to the measured object weakly, but strongly to the lambda and its supplier.
    FunctionCounter.builder(name, this, registry -> total.get().doubleValue())
        .description(help)
        .tags(labels)
        .register(meters);
  }

  /** Registers a gauge whose value each scrape computes. */
  void gauge(Supplier<Number> value, String name, String help, String... labels) {
    Gauge.builder(name, value).description(help).tags(Tags.of(labels)).register(meters);
  }

  /** Registers a histogram of latencies by one label. */
  Latencies latencies(String name, String help, String label, double... boundsSeconds) {
    Latencies latencies = new Latencies(name, help, label, boundsSeconds);
    families.register(latencies);
    return latencies;
  }

  /** The constant in lower case, as label values are written. */
  static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Registers the meters of a limiter. */
  LimiterMetrics limiterMetrics() {
    return new LimiterMetrics(meters);
  }

  void bind(MeterBinder binder) {
    binder.bindTo(meters);
  }

  String scrape() {
    return meters.scrape();
  }

  void close() {
    meters.close();
  }

  /** Keeps timers that have buckets and at most one tag as {@link Latencies}. */
  private final class LatencyRegistry extends PrometheusMeterRegistry {

    private final Map<String, Latencies> histograms = new ConcurrentHashMap<>();

    LatencyRegistry() {
      super(PrometheusConfig.DEFAULT, families, Clock.SYSTEM);
    }

    @Override
    public Timer newTimer(
        Meter.Id id, DistributionStatisticConfig config, PauseDetector pauseDetector) {
      double[] bounds = config.getServiceLevelObjectiveBoundaries();
      List<Tag> tags = getConventionTags(id);
      if (bounds == null || bounds.length == 0 || tags.size() > 1) {
        return super.newTimer(id, config, pauseDetector);
      }
      Latencies histogram = histograms.computeIfAbsent(
          getConventionName(id),
          name -> latencies(
              name,
              Objects.requireNonNullElse(id.getDescription(), ""),
              tags.isEmpty() ? "" : tags.get(0).getKey(),
              Arrays.stream(bounds).map(nanos -> nanos / NANOS_PER_SECOND).toArray()));
      return new LatencyTimer(id, histogram.of(tags.isEmpty() ? "" : tags.get(0).getValue()));
    }
  }

  /**
   * Leaves the project's own names as they are. The default convention removes the suffixes
   * "_created" and "_info", which would merge two metrics into one. The meters of the limiter that
   * therefore have other names in Micrometer get those of the server.
   */
  private static final class OwnNames extends PrometheusNamingConvention {

    private static final String TOTAL = "_total";
    private static final String ADDED = "series.added";
    private static final String CREATED = "series_created";

    @Override
    public String name(String name, Meter.Type type, @Nullable String baseUnit) {
      if (name.startsWith("tidegate.") && name.endsWith(ADDED)) {
        return name.substring(0, name.length() - ADDED.length()).replace('.', '_') + CREATED;
      }
      if (name.indexOf('_') < 0) { // names of Micrometer have dots
        return super.name(name, type, baseUnit);
      }
      return name.endsWith(TOTAL) // which is added to every counter
          ? name.substring(0, name.length() - TOTAL.length())
          : name;
    }
  }
}
