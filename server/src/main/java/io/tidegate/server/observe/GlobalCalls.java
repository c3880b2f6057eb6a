package io.tidegate.server.observe;

import io.tidegate.server.observe.Dependency.Call;
import io.tidegate.server.observe.Latencies.Latency;
import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.concurrent.atomic.LongAdder;

/** Counts what is pushed to and pulled from the global counters. */
final class GlobalCalls {

  private final Dependency mysql;
  private final Latency pushes;
  private final LongAdder pushedRows;
  private final Failures pushFailures;
  private final Latency pulls;
  private final LongAdder pulledRows;
  private final LongAdder appliedRows;
  private final Failures pullFailures;
  private final LongAdder forgot;
  private volatile int rowsOfLastPull;

  GlobalCalls(Registry registry, Dependency mysql) {
    this.mysql = mysql;
    this.pushes = latency(registry, "push");
    this.pushedRows = registry.counter(
        "tidegate_ratelimit_global_push_rows_total", "Cells told to other regions");
    this.pushFailures = new Failures(
        registry,
        "tidegate_ratelimit_global_push_errors_total",
        "Pushes that failed, or were not made because too many had");
    this.pulls = latency(registry, "pull");
    this.pulledRows = registry.counter(
        "tidegate_ratelimit_global_pull_rows_total", "Components read from the global counters");
    this.appliedRows = registry.counter(
        "tidegate_ratelimit_global_pull_rows_applied_total", "Components read that were news");
    this.pullFailures = new Failures(
        registry,
        "tidegate_ratelimit_global_pull_errors_total",
        "Pulls that failed, or were not made because too many had");
    this.forgot = registry.counter(
        "tidegate_ratelimit_global_forgot_total",
        "Times that the global counters had lost counts and were told again");
    registry.gauge(
        () -> rowsOfLastPull,
        "tidegate_ratelimit_global_pull_rows_last",
        "Components read by the last pull");
  }

  void pushed(int rows, long nanos) {
    pushedRows.add(rows);
    pushes.record(nanos);
    mysql.worked(Call.WRITE);
  }

  void pushFailed(CallFailure failure) {
    pushFailures.count(failure);
    mysql.failed(Call.WRITE, failure);
  }

  void pulled(int rows, int applied, long nanos) {
    pulledRows.add(rows);
    appliedRows.add(applied);
    rowsOfLastPull = rows;
    pulls.record(nanos);
    mysql.worked(Call.READ);
  }

  void pullFailed(CallFailure failure) {
    pullFailures.count(failure);
    mysql.failed(Call.READ, failure);
  }

  void forgot() {
    forgot.increment();
  }

  private static Latency latency(Registry registry, String what) {
    return registry
        .latencies(
            "tidegate_ratelimit_global_" + what + "_seconds",
            "How long a " + what + " takes",
            "",
            Latencies.CALL_BOUNDS_SECONDS)
        .of("");
  }
}
