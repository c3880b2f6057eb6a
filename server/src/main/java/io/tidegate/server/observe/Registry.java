package io.tidegate.server.observe;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All meters of a node, under the names that Prometheus shows.
 *
 * <p>What is counted often is counted in adders, which cost a few nanoseconds and are summed when
 * somebody scrapes. Meters that a registry updates itself cost several times that.
 */
final class Registry {

  /** Meters of Micrometer whose names break Prometheus' rules, and that we can do without. */
  private static final Set<String> UNCONVENTIONAL = Set.of("process.cpu.time", "system.cpu.count");

  private final PrometheusRegistry families = new PrometheusRegistry();
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, families, Clock.SYSTEM);

  Registry() {
    meters
        .config()
        .namingConvention(new OwnNames())
        .meterFilter(MeterFilter.deny(id -> UNCONVENTIONAL.contains(id.getName())));
  }

  /** A counter, to be held by whoever counts. */
  LongAdder counter(String name, String help, String... labels) {
    return counter(new LongAdder(), name, help, labels);
  }

  /** Shows an adder that there is already, as long as there is. */
  LongAdder counter(LongAdder adder, String name, String help, String... labels) {
    FunctionCounter.builder(name, adder, LongAdder::sum)
        .description(help)
        .tags(labels)
        .register(meters);
    return adder;
  }

  /** A counter that is asked for when scraped. It must not shrink. */
  void counter(Supplier<Number> total, String name, String help, String... labels) {
    // The registry holds what it asks weakly; the lambda holds it for as long as the meter lives.
    FunctionCounter.builder(name, this, registry -> total.get().doubleValue())
        .description(help)
        .tags(labels)
        .register(meters);
  }

  /** A gauge that is asked for when scraped. */
  void gauge(Supplier<Number> value, String name, String help, String... labels) {
    Gauge.builder(name, value).description(help).tags(Tags.of(labels)).register(meters);
  }

  /** Latencies by one label. */
  Latencies latencies(String name, String help, String label, double... boundsSeconds) {
    Latencies latencies = new Latencies(name, help, label, boundsSeconds);
    families.register(latencies);
    return latencies;
  }

  /** How a constant is written as the value of a label. */
  static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
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

  /**
   * Leaves our own names as they are. The usual convention would take "_created" and "_info" off
   * their ends, and make one metric of two.
   */
  private static final class OwnNames extends PrometheusNamingConvention {

    private static final String TOTAL = "_total";

    @Override
    public String name(String name, Meter.Type type, @Nullable String baseUnit) {
      if (name.indexOf('_') < 0) { // Micrometer's own have dots
        return super.name(name, type, baseUnit);
      }
      return name.endsWith(TOTAL) // which is put back for every counter
          ? name.substring(0, name.length() - TOTAL.length())
          : name;
    }
  }
}
