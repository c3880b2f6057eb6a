package io.tidegate.server.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Meters of the ports for clients. Any thread may count. */
public final class HttpMetrics {

  /** Reasons to end a connection before its request was answered or while it was still in use. */
  public enum CutOff {
    /** The headers arrived too slowly. */
    SLOW_HEADERS,
    /** The body arrived too slowly. */
    SLOW_BODY,
    /** The client did not read its responses. */
    SLOW_READER,
    /** No request arrived within the idle timeout. */
    IDLE,
    /** The request was not valid HTTP, or exceeded a limit on its size. */
    BAD_REQUEST,
    /** The client closed the connection before the response. */
    CLIENT_CLOSED,
    /** The node stopped before the response. */
    STOPPING
  }

  /**
   * Upper bounds of the buckets: from a decision in memory, about 100 us on a loaded event loop, to
   * ten seconds, beyond which the exact duration no longer matters.
   */
  private static final double[] BOUNDS_SECONDS = {
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10
  };

  private final Registry registry;
  private final Latencies latencies;
  private final Map<String, RouteMeters> routes = new ConcurrentHashMap<>();
  private final LongAdder connections = new LongAdder();
  private final LongAdder refused;
  private final Map<CutOff, LongAdder> cutOff = new EnumMap<>(CutOff.class);

  HttpMetrics(Registry registry) {
    this.registry = registry;
    this.latencies = registry.latencies(
        "tidegate_http_request_seconds",
        "Time from the first byte of a request to its response",
        "route",
        BOUNDS_SECONDS);
    registry.gauge(connections::sum, "tidegate_http_connections", "Open client connections");
    this.refused = registry.counter(
        "tidegate_http_connections_refused_total",
        "Connections closed at once because max-connections was reached");
    for (CutOff reason : CutOff.values()) {
      cutOff.put(
          reason,
          registry.counter(
              "tidegate_http_cut_off_total",
              "Connections ended while a client or the node still used them",
              "reason",
              Registry.label(reason)));
    }
  }

  /**
   * Returns the meters of a route, which the route keeps. The same path gives the same meters. A
   * path becomes a label, so it must be one of the server's routes and never text of a client.
   */
  public RouteMeters route(String path) {
    return routes.computeIfAbsent(
        path, missing -> new RouteMeters(registry, missing, latencies.of(missing)));
  }

  /** The latencies of the last intervals, over all routes. */
  public RecentLatencies recentLatencies() {
    return new RecentLatencies(latencies.boundsNanos(), latencies::totals);
  }

  /** Counts a new connection as open. */
  public void connectionOpened() {
    connections.increment();
  }

  /** Counts an open connection as closed, by either side. */
  public void connectionClosed() {
    connections.decrement();
  }

  /** Counts a connection beyond max-connections; it is neither opened nor closed. */
  public void connectionRefused() {
    refused.increment();
  }

  /** Counts a connection that was ended early. */
  public void cutOff(CutOff reason) {
    Objects.requireNonNull(cutOff.get(reason)).increment();
  }
}
