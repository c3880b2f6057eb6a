package io.tidegate.server.observe;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.tidegate.micrometer.LimiterMetrics;
import io.tidegate.model.LimiterStats;
import io.tidegate.server.service.RuleObserver;
import io.tidegate.spi.LimiterObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All metrics of a node and their exposition for Prometheus.
 *
 * <pre>{@code
 * Metrics metrics = new Metrics("1.2.3", "eu", "node-1", health);
 * RouteMeters limit = metrics.http().route("/v2/ratelimit.limit");
 * limit.answered(200, nanos);
 * }</pre>
 */
public final class Metrics implements AutoCloseable {

  /** The workspace of the node's own limits, such as those of workspaces; not counted. */
  public static final String INTERNAL_WORKSPACE = "tidegate";

  /** Before the limiter has been built. */
  private static final LimiterStats NO_STATS =
      new LimiterStats(0, 0, 0, 0, 0, 0, -1, -1, 0, 0, false, 0, Optional.empty(), false);

  private final Registry registry = new Registry();
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
  private final LimiterObserver limiter;
  private final HttpMetrics http;
  private final RuleMetrics rules;
  private final GatewayMetrics gateway;

  private volatile Supplier<LimiterStats> stats = () -> NO_STATS;

  /** The statistics that a scrape shows. Written when it starts. */
  private volatile LimiterStats scrapedStats = NO_STATS;

  /**
   * Registers the metrics of a node.
   *
   * @param version the version of the server
   * @param region the region of the node
   * @param node the name of the node
   * @param health receives the outcome of the limiter's calls, and is shown as metrics
   */
  public Metrics(String version, String region, String node, Health health) {
    this.limiter = limiterMetrics().andThen(health.observer());
    this.http = new HttpMetrics(registry);
    this.rules = new RuleMetrics(registry);
    this.gateway = new GatewayMetrics(registry);
    registry.gauge(
        () -> 1,
        "tidegate_build_info",
        "Version, region and name of the node as labels; always 1",
        "version",
        version,
        "region",
        region,
        "node",
        node);
    show(health);
    show(health.rules());
    registry.bind(garbageCollection);
    registry.counter(
        Metrics::cpuSeconds, "process_cpu_seconds_total", "CPU time of the process in seconds");
    List.of(
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ClassLoaderMetrics(),
            new ProcessorMetrics(),
            new UptimeMetrics(),
            new FileDescriptorMetrics())
        .forEach(registry::bind);
  }

  /**
   * Observer of the limiter, for its meters and for {@link Health}.
   *
   * <pre>{@code
   * RateLimiter limiter = RateLimiter.builder().observer(metrics.limiter()).build();
   * metrics.bind(limiter::stats);
   * }</pre>
   */
  public LimiterObserver limiter() {
    return limiter;
  }

  /** Sets the source of the metrics about the limiter's memory. Called once, before a scrape. */
  public void bind(Supplier<LimiterStats> stats) {
    this.stats = stats;
  }

  /** The statistics of the limiter at this moment; all 0 before it has been built. */
  public LimiterStats limiterStats() {
    return stats.get();
  }

  /** Meters of the ports for clients. */
  public HttpMetrics http() {
    return http;
  }

  /** Meters of the rules. */
  public RuleObserver rules() {
    return rules;
  }

  /** The hits of all rules since the start. */
  public List<RuleCount> ruleCounts() {
    return rules.counts();
  }

  /** Meters of gRPC calls. */
  public GatewayMetrics gateway() {
    return gateway;
  }

  /** Returns all metrics in Prometheus' text format. Takes milliseconds: not for an event loop. */
  public String scrape() {
    scrapedStats = stats.get();
    return registry.scrape();
  }

  /** Unregisters from the JVM's notifications about garbage collection. */
  @Override
  public void close() {
    garbageCollection.close();
    registry.close();
  }

  /** The meters of the limiter; all of a scrape show the same statistics. */
  private LimiterMetrics limiterMetrics() {
    LimiterMetrics metrics = registry.limiterMetrics();
    metrics.exclude(INTERNAL_WORKSPACE);
    metrics.bind(() -> scrapedStats);
    return metrics;
  }

  /** Registered under the name that Prometheus clients use, since Micrometer's differs. */
  private static double cpuSeconds() {
    return ProcessHandle.current()
            .info()
            .totalCpuDuration()
            .orElse(Duration.ZERO)
            .toNanos()
        / 1e9;
  }

  private void show(Health health) {
    registry.gauge(
        () -> health.isReady() ? 1 : 0,
        "tidegate_ready",
        "1 while the node is ready for requests, else 0");
    for (String name : health.dependencies().keySet()) {
      registry.gauge(
          () -> health.isDegraded(name) ? 1 : 0,
          "tidegate_dependency_degraded",
          "1 while the last read or write of a dependency failed, else 0",
          "dependency",
          name);
    }
    registry.gauge(
        () -> health.hasRegionNameConflict() ? 1 : 0,
        "tidegate_region_name_conflict",
        "1 while another region uses the same name, else 0");
    registry.gauge(
        health::catalogVersion,
        "tidegate_catalog_version",
        "Version of the catalog, which grows with each change");
    registry.gauge(
        health::secondsSinceCatalogRead,
        "tidegate_catalog_seconds_since_read",
        "Seconds since the last read of the catalog; NaN before the first");
    registry.counter(
        health::catalogErrors,
        "tidegate_catalog_refresh_errors_total",
        "Failed reads of the catalog");
  }

  private void show(RuleHealth rules) {
    registry.gauge(rules::rules, "tidegate_rules", "Rules in use");
    registry.gauge(
        () -> rules.isRejected() ? 1 : 0,
        "tidegate_rules_rejected",
        "1 while the rule files have errors and older rules are in use, else 0");
    registry.gauge(
        rules::secondsSinceLoad,
        "tidegate_rules_seconds_since_load",
        "Seconds since rules were last loaded; NaN without rule files");
    String help = "Loads of changed rule files, by result";
    registry.counter(rules::loads, "tidegate_rules_loads_total", help, "result", "loaded");
    registry.counter(rules::rejections, "tidegate_rules_loads_total", help, "result", "rejected");
  }
}
