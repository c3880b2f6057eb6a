package io.tidegate.server.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens on the port that clients use. */
public final class HttpMetrics {

  /** Why a connection was ended while it was still wanted by one side. */
  public enum CutOff {
    /** The headers took too long to arrive. */
    SLOW_HEADERS,
    /** The body took too long to arrive. */
    SLOW_BODY,
    /** The client did not read its answers. */
    SLOW_READER,
    /** Nothing happened for too long. */
    IDLE,
    /** What came was no HTTP, or more than is read. */
    BAD_REQUEST,
    /** The client left before its answer. */
    CLIENT_CLOSED,
    /** The node stopped before the answer. */
    STOPPING
  }

  /**
   * From an answer out of memory, which takes some 100 us with a loaded event loop, to the longest
   * that any request may last.
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
        "From the first byte of a request to its answer",
        "route",
        BOUNDS_SECONDS);
    registry.gauge(connections::sum, "tidegate_http_connections", "Connections of clients now");
    this.refused = registry.counter(
        "tidegate_http_connections_refused_total", "Connections refused, for there were too many");
    for (CutOff reason : CutOff.values()) {
      cutOff.put(
          reason,
          registry.counter(
              "tidegate_http_cut_off_total",
              "Connections ended while one side still wanted them",
              "reason",
              Registry.label(reason)));
    }
  }

  /**
   * The meters of a route, the same for the same path; to be held by the route. Every path becomes
   * a label, so give the paths that there are and never what a client sent.
   */
  public RouteMeters route(String path) {
    return routes.computeIfAbsent(
        path, missing -> new RouteMeters(registry, missing, latencies.of(missing)));
  }

  /** A client connected. */
  public void connectionOpened() {
    connections.increment();
  }

  /** A client that had connected is gone, whoever ended it. */
  public void connectionClosed() {
    connections.decrement();
  }

  /** A client was turned away; it counts as neither opened nor closed. */
  public void connectionRefused() {
    refused.increment();
  }

  /** A connection was ended while one side still wanted it. */
  public void cutOff(CutOff reason) {
    cutOff.get(reason).increment();
  }
}
