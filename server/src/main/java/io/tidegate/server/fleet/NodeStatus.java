package io.tidegate.server.fleet;

import io.tidegate.model.LimiterStats;
import io.tidegate.server.activity.Activity;
import io.tidegate.server.activity.FrequentIdentifier;
import io.tidegate.server.activity.NamespaceSnapshot;
import io.tidegate.server.observe.Health;
import io.tidegate.server.observe.Metrics;
import io.tidegate.server.observe.RecentLatencies;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/**
 * Describes this node: health, lags, rates, and the activity in its busiest namespaces.
 *
 * <p>Any thread may call. Rates and latencies are those of the last interval, which
 * {@link #endInterval} ends.
 */
public final class NodeStatus {

  /** Namespaces in a description, which bounds its size: some 20 kB with usual names. */
  private static final int MAX_NAMESPACES = 20;

  /** Identifiers in each list of a namespace. */
  static final int MAX_IDENTIFIERS = 10;

  private final String region;
  private final String node;
  private final String version;
  private final long startedAtMillis;
  private final Health health;
  private final Metrics metrics;
  private final Activity activity;

  /** Guarded by this. */
  private final RecentLatencies latencies;

  /**
   * Creates the description of a node.
   *
   * @param node the name of the process, which no other has
   */
  public NodeStatus(
      String region,
      String node,
      String version,
      long startedAtMillis,
      Health health,
      Metrics metrics,
      Activity activity) {
    this.region = region;
    this.node = node;
    this.version = version;
    this.startedAtMillis = startedAtMillis;
    this.health = health;
    this.metrics = metrics;
    this.activity = activity;
    this.latencies = metrics.http().recentLatencies();
  }

  /** Ends an interval of about a second. */
  public void endInterval(Duration length) {
    activity.endInterval(length);
    synchronized (this) {
      latencies.endInterval();
    }
  }

  /** The name of the region. */
  public String region() {
    return region;
  }

  /** The name of the process. */
  public String node() {
    return node;
  }

  /** Name, region and version. */
  public JsonObject identity() {
    return new JsonObject().put("region", region).put("name", node).put("version", version);
  }

  /** The description at this moment. */
  JsonObject describe() {
    LimiterStats stats = metrics.limiterStats();
    Activity.Rates rates = activity.rates();
    JsonObject status = identity()
        .put("startedAt", startedAtMillis)
        .put("state", health.status())
        .put("dependencies", dependencies())
        .put("reader", stats.reading())
        .put("liveNodes", stats.liveNodes())
        .put("series", stats.series())
        .put("unconfirmedSeries", stats.unconfirmedSeries())
        .put("millisSincePush", stats.millisSincePush())
        .put("millisSincePull", stats.millisSincePull())
        .put("allowedPerSecond", rounded(rates.allowed()))
        .put("deniedPerSecond", rounded(rates.denied()))
        .put("degradedPerSecond", rounded(rates.degraded()));
    synchronized (this) {
      status.put("p50Micros", latencies.micros(0.5)).put("p99Micros", latencies.micros(0.99));
    }
    return status.put("namespaces", namespaces());
  }

  private JsonObject dependencies() {
    JsonObject all = new JsonObject();
    health.dependencyStates().forEach((name, state) -> {
      JsonObject dependency = new JsonObject().put("status", state.status());
      if (state.reason() != null) {
        dependency.put("reason", state.reason());
        dependency.put("degradedForSeconds", state.degradedMillis() / 1_000);
      }
      all.put(name, dependency);
    });
    return all;
  }

  private JsonArray namespaces() {
    JsonArray all = new JsonArray();
    activity.namespaces(MAX_IDENTIFIERS).stream()
        .limit(MAX_NAMESPACES)
        .map(NodeStatus::namespace)
        .forEach(all::add);
    return all;
  }

  private static JsonObject namespace(NamespaceSnapshot namespace) {
    return new JsonObject()
        .put("workspace", namespace.workspace())
        .put("namespace", namespace.namespace())
        .put("allowedPerSecond", rounded(namespace.allowedPerSecond()))
        .put("deniedPerSecond", rounded(namespace.deniedPerSecond()))
        .put("busiest", identifiers(namespace.busiest()))
        .put("mostDenied", identifiers(namespace.mostDenied()));
  }

  private static JsonArray identifiers(List<FrequentIdentifier> identifiers) {
    JsonArray all = new JsonArray();
    for (FrequentIdentifier one : identifiers) {
      all.add(new JsonObject()
          .put("identifier", one.identifier())
          .put("perMinute", one.perMinute())
          .put("error", one.error())
          .put("limit", one.limit())
          .put("windowMillis", one.windowMillis()));
    }
    return all;
  }

  /** A tenth is all that a reader can use. */
  private static double rounded(double rate) {
    return Math.round(rate * 10) / 10.0;
  }
}
