package io.tidegate.server.observe;

import io.tidegate.server.observe.Dependency.Access;
import io.tidegate.server.observe.Latencies.Latency;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import java.util.concurrent.atomic.LongAdder;

/** Meters of the calls to the regional origin. Also reports their outcome to its dependency. */
final class OriginMetrics {

  /** Meters of one operation. */
  private record OperationMeters(Latency latency, FailureCounters failures) {}

  private final Dependency origin;
  private final EnumTable<OriginOperation, OperationMeters> operations;
  private final LongAdder losses;

  OriginMetrics(Registry registry, Dependency origin) {
    this.origin = origin;
    Latencies latencies = registry.latencies(
        "tidegate_ratelimit_origin_latency_seconds",
        "Latency of calls to the origin that were answered",
        "op",
        Latencies.CALL_BOUNDS_SECONDS);
    this.operations = new EnumTable<>(
        OriginOperation.class, operation -> meters(registry, latencies, Registry.label(operation)));
    this.losses = registry.counter(
        "tidegate_ratelimit_origin_lost_counts_total",
        "Times the origin was found to have lost counts, which were then sent again");
  }

  private static OperationMeters meters(Registry registry, Latencies latencies, String op) {
    Latency latency = latencies.of(op);
    FailureCounters failures = new FailureCounters(
        registry,
        "tidegate_ratelimit_origin_errors_total",
        "Calls to the origin that failed, or were skipped by the circuit breaker",
        "op",
        op);
    registry.counter(
        () -> latency.count() + failures.attempted(),
        "tidegate_ratelimit_origin_operations_total",
        "Calls made to the origin, answered or not",
        "op",
        op);
    return new OperationMeters(latency, failures);
  }

  void answered(OriginOperation operation, long nanos) {
    operations.get(operation).latency.record(nanos);
    origin.succeeded(access(operation));
  }

  void failed(OriginOperation operation, CallFailure failure) {
    operations.get(operation).failures.count(failure);
    origin.failed(access(operation), failure);
  }

  void lostCounts() {
    losses.increment();
  }

  private static Access access(OriginOperation operation) {
    return switch (operation) {
      case REPLAY, STORE -> Access.WRITE;
      default -> Access.READ;
    };
  }
}
