package io.tidegate.micrometer;

import io.micrometer.core.instrument.Timer;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Meters of the calls to the regional origin. */
final class OriginMetrics {

  private final EnumTable<OriginOperation, OperationMeters> operations;
  private final LongAdder losses;

  OriginMetrics(Meters meters) {
    this.operations = new EnumTable<>(
        OriginOperation.class, operation -> new OperationMeters(meters, Meters.value(operation)));
    this.losses = meters.counter(
        "ratelimit.origin.lost.counts",
        "Times the origin was found to have lost counts, which were then sent again");
  }

  void answered(OriginOperation operation, long nanos) {
    operations.get(operation).answered(nanos);
  }

  void failed(OriginOperation operation, CallFailure failure) {
    operations.get(operation).failures.count(failure);
  }

  void lostCounts() {
    losses.increment();
  }

  /** Meters of one operation. */
  private static final class OperationMeters {

    private final Timer latency;
    private final FailureCounters failures;

    /** Beside the timer, because timers of some registries count one interval only. */
    private final LongAdder answers = new LongAdder();

    OperationMeters(Meters meters, String op) {
      this.latency = meters.timer(
          "ratelimit.origin.latency",
          "Latency of calls to the origin that were answered",
          "op",
          op);
      this.failures = new FailureCounters(
          meters,
          "ratelimit.origin.errors",
          "Calls to the origin that failed, or were skipped by the circuit breaker",
          "op",
          op);
      meters.counter(
          this,
          OperationMeters::calls,
          "ratelimit.origin.operations",
          "Calls made to the origin, answered or not",
          "op",
          op);
    }

    void answered(long nanos) {
      answers.increment();
      latency.record(nanos, TimeUnit.NANOSECONDS);
    }

    private double calls() {
      return answers.sum() + failures.attempted();
    }
  }
}
