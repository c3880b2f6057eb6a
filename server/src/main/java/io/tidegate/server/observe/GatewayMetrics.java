package io.tidegate.server.observe;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Meters of the gRPC calls of gateways. Any thread may count. */
public final class GatewayMetrics {

  private final Registry registry;
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();

  GatewayMetrics(Registry registry) {
    this.registry = registry;
    failed("UNKNOWN", 0); // so that the metric exists before the first error
  }

  /**
   * Counts a call that was answered with an error.
   *
   * @param status the name of the status; must not be text of a client
   */
  public void failed(String status) {
    failed(status, 1);
  }

  private void failed(String status, int times) {
    errors
        .computeIfAbsent(
            status,
            name -> registry.counter(
                "tidegate_grpc_errors_total",
                "gRPC calls answered with an error",
                "status",
                name.toLowerCase(Locale.ROOT)))
        .add(times);
  }
}
