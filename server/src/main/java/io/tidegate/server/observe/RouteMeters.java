package io.tidegate.server.observe;

import io.tidegate.server.observe.Latencies.Latency;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/** Meters of one route: responses by status, and their latency. Any thread may count. */
public final class RouteMeters {

  private static final int LOWEST_STATUS = 100;
  private static final int HIGHEST_STATUS = 599;

  private final Registry registry;
  private final String path;
  private final Latency latency;

  /** By status; null before the first response with it. */
  private final AtomicReferenceArray<LongAdder> statuses =
      new AtomicReferenceArray<>(HIGHEST_STATUS - LOWEST_STATUS + 1);

  RouteMeters(Registry registry, String path, Latency latency) {
    this.registry = registry;
    this.path = path;
    this.latency = latency;
    meter(200 - LOWEST_STATUS); // so that the metric exists before the first request
  }

  /**
   * Counts a response. Allocates nothing, except for the first response with a status.
   *
   * @param status the HTTP status, 100 to 599
   * @param nanos time from the first byte of the request to the response
   */
  public void answered(int status, long nanos) {
    int index = status - LOWEST_STATUS;
    LongAdder meter = statuses.get(index);
    (meter != null ? meter : meter(index)).increment();
    latency.record(nanos);
  }

  private synchronized LongAdder meter(int index) {
    LongAdder known = statuses.get(index);
    if (known != null) {
      return known;
    }
    LongAdder meter = registry.counter(
        "tidegate_http_requests_total",
        "Responses",
        "route",
        path,
        "status",
        Integer.toString(index + LOWEST_STATUS));
    statuses.set(index, meter);
    return meter;
  }
}
