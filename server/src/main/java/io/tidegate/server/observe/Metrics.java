package io.tidegate.server.observe;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.tidegate.server.observe.Dependency.Status;
import java.time.Duration;
import java.util.List;

/**
 * All metrics of a node, and their text for Prometheus.
 *
 * <pre>{@code
 * Metrics metrics = new Metrics("1.2.3", "eu", "node-1", health);
 * RouteMeters limit = metrics.http().route("/v2/ratelimit.limit");
 * limit.answered(200, nanos);
 * }</pre>
 */
public final class Metrics implements AutoCloseable {

  private final Registry registry = new Registry();
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final LimiterMetrics limiter;
  private final HttpMetrics http;

  /**
   * The metrics of a node.
   *
   * @param version of what runs
   * @param region the region of the node
   * @param node the name of the node
   * @param health is told how calls of the limiter go, and shown
   */
  public Metrics(String version, String region, String node, Health health) {
    this.limiter = new LimiterMetrics(registry, health);
    this.http = new HttpMetrics(registry);
    registry.gauge(
        () -> 1,
        "tidegate_build_info",
        "Version, region and name of this node; always 1",
        "version",
        version,
        "region",
        region,
        "node",
        node);
    show(health);
    registry.bind(collections);
    registry.counter(
        Metrics::cpuSeconds, "process_cpu_seconds_total", "CPU time of this process in seconds");
    List.of(
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ClassLoaderMetrics(),
            new ProcessorMetrics(),
            new UptimeMetrics(),
            new FileDescriptorMetrics())
        .forEach(registry::bind);
  }

  /** What the limiter does. */
  public LimiterMetrics limiter() {
    return limiter;
  }

  /** What happens on the port of clients. */
  public HttpMetrics http() {
    return http;
  }

  /** All metrics in Prometheus' text format. Takes milliseconds, so not on an event loop. */
  public String scrape() {
    limiter.refresh();
    return registry.scrape();
  }

  /** Lets go of the JVM's notifications. */
  @Override
  public void close() {
    collections.close();
    registry.close();
  }

  /** Under the name that Prometheus' own clients use; Micrometer's has an abbreviated unit. */
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
        () -> health.isReady() ? 1 : 0, "tidegate_ready", "1 while the node takes requests");
    for (String name : health.dependencies().keySet()) {
      registry.gauge(
          () -> health.dependencies().get(name).status() == Status.DEGRADED ? 1 : 0,
          "tidegate_dependency_degraded",
          "1 while the last read or write of a dependency failed",
          "dependency",
          name);
    }
    registry.gauge(
        () -> health.hasRegionNameConflict() ? 1 : 0,
        "tidegate_region_name_conflict",
        "1 while another region uses the same name");
    registry.gauge(
        health::catalogVersion,
        "tidegate_catalog_version",
        "Grows with each change of the catalog");
    registry.gauge(
        health::secondsSinceCatalogRead,
        "tidegate_catalog_seconds_since_read",
        "Since the catalog was read; NaN if never");
    registry.counter(
        health::catalogErrors,
        "tidegate_catalog_refresh_errors_total",
        "Times that the catalog could not be read");
  }
}
