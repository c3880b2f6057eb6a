package io.tidegate.server.observe;

import io.tidegate.server.observe.Dependency.Access;
import io.tidegate.server.observe.Latencies.Latency;
import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.concurrent.atomic.LongAdder;

/** Meters of pushes and pulls. Also reports their outcome to the dependency they call. */
final class GlobalCountersMetrics {

  private final Dependency globalCounters;
  private final Latency pushes;
  private final LongAdder pushedRows;
  private final FailureCounters pushFailures;
  private final Latency pulls;
  private final LongAdder pulledRows;
  private final LongAdder appliedRows;
  private final FailureCounters pullFailures;
  private final LongAdder losses;
  private volatile int rowsOfLastPull;

  GlobalCountersMetrics(Registry registry, Dependency globalCounters) {
    this.globalCounters = globalCounters;
    this.pushes = latency(registry, "push");
    this.pushedRows = registry.counter(
        "tidegate_ratelimit_global_push_rows_total", "Rows pushed to the global counters");
    this.pushFailures = new FailureCounters(
        registry,
        "tidegate_ratelimit_global_push_errors_total",
        "Pushes that failed, or were skipped by the circuit breaker");
    this.pulls = latency(registry, "pull");
    this.pulledRows = registry.counter(
        "tidegate_ratelimit_global_pull_rows_total", "Rows pulled from the global counters");
    this.appliedRows = registry.counter(
        "tidegate_ratelimit_global_pull_rows_applied_total", "Pulled rows that raised a count");
    this.pullFailures = new FailureCounters(
        registry,
        "tidegate_ratelimit_global_pull_errors_total",
        "Pulls that failed, or were skipped by the circuit breaker");
    this.losses = registry.counter(
        "tidegate_ratelimit_global_lost_counts_total",
        "Times the global counters were found to have lost counts, which were then pushed again");
    registry.gauge(
        () -> rowsOfLastPull, "tidegate_ratelimit_global_pull_rows_last", "Rows of the last pull");
  }

  void pushed(int rows, long nanos) {
    pushedRows.add(rows);
    pushes.record(nanos);
    globalCounters.succeeded(Access.WRITE);
  }

  void pushFailed(CallFailure failure) {
    pushFailures.count(failure);
    globalCounters.failed(Access.WRITE, failure);
  }

  void pulled(int rows, int applied, long nanos) {
    pulledRows.add(rows);
    appliedRows.add(applied);
    rowsOfLastPull = rows;
    pulls.record(nanos);
    globalCounters.succeeded(Access.READ);
  }

  void pullFailed(CallFailure failure) {
    pullFailures.count(failure);
    globalCounters.failed(Access.READ, failure);
  }

  void lostCounts() {
    losses.increment();
  }

  private static Latency latency(Registry registry, String operation) {
    return registry
        .latencies(
            "tidegate_ratelimit_global_" + operation + "_seconds",
            "Duration of a " + operation,
            "",
            Latencies.CALL_BOUNDS_SECONDS)
        .of("");
  }
}
