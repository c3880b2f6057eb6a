package io.tidegate.server.observe;

import io.tidegate.server.observe.Dependency.Call;
import io.tidegate.server.observe.Latencies.Latency;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls to the region's Redis. */
final class OriginCalls {

  private final Dependency redis;
  private final Map<OriginOperation, Latency> latencies = new EnumMap<>(OriginOperation.class);
  private final Map<OriginOperation, Failures> failures = new EnumMap<>(OriginOperation.class);
  private final LongAdder forgot;

  OriginCalls(Registry registry, Dependency redis) {
    this.redis = redis;
    Latencies byOperation = registry.latencies(
        "tidegate_ratelimit_origin_latency_seconds",
        "How long Redis takes to answer",
        "op",
        Latencies.CALL_BOUNDS_SECONDS);
    for (OriginOperation operation : OriginOperation.values()) {
      String op = Registry.label(operation);
      Latency latency = byOperation.of(op);
      Failures failed = new Failures(
          registry,
          "tidegate_ratelimit_origin_errors_total",
          "Calls to Redis that failed, or were not made because too many had",
          "op",
          op);
      latencies.put(operation, latency);
      failures.put(operation, failed);
      registry.counter(
          () -> latency.count() + failed.made(),
          "tidegate_ratelimit_origin_operations_total",
          "Calls made to Redis, whether it answered or not",
          "op",
          op);
    }
    this.forgot = registry.counter(
        "tidegate_ratelimit_origin_forgot_total",
        "Times that Redis had lost counts and was told again");
  }

  void answered(OriginOperation operation, long nanos) {
    latencies.get(operation).record(nanos);
    redis.worked(call(operation));
  }

  void failed(OriginOperation operation, CallFailure failure) {
    failures.get(operation).count(failure);
    redis.failed(call(operation), failure);
  }

  void forgot() {
    forgot.increment();
  }

  private static Call call(OriginOperation operation) {
    return operation == OriginOperation.REPLAY ? Call.WRITE : Call.READ;
  }
}
