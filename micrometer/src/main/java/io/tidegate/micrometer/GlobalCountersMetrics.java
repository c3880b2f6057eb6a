package io.tidegate.micrometer;

import io.micrometer.core.instrument.Timer;
import io.tidegate.spi.LimiterObserver.CallFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Meters of pushes and pulls. */
final class GlobalCountersMetrics {

  private final Timer pushes;
  private final LongAdder pushedRows;
  private final FailureCounters pushFailures;
  private final Timer pulls;
  private final LongAdder pulledRows;
  private final LongAdder appliedRows;
  private final FailureCounters pullFailures;
  private final LongAdder losses;
  private volatile int rowsOfLastPull;

  GlobalCountersMetrics(Meters meters) {
    this.pushes = meters.timer("ratelimit.global.push", "Duration of a push");
    this.pushedRows =
        meters.counter("ratelimit.global.push.rows", "Rows pushed to the global counters");
    this.pushFailures = new FailureCounters(
        meters,
        "ratelimit.global.push.errors",
        "Pushes that failed, or were skipped by the circuit breaker");
    this.pulls = meters.timer("ratelimit.global.pull", "Duration of a pull");
    this.pulledRows =
        meters.counter("ratelimit.global.pull.rows", "Rows pulled from the global counters");
    this.appliedRows =
        meters.counter("ratelimit.global.pull.rows.applied", "Pulled rows that raised a count");
    this.pullFailures = new FailureCounters(
        meters,
        "ratelimit.global.pull.errors",
        "Pulls that failed, or were skipped by the circuit breaker");
    this.losses = meters.counter(
        "ratelimit.global.lost.counts",
        "Times the global counters were found to have lost counts, which were then pushed again");
    meters.gauge(
        this,
        metrics -> metrics.rowsOfLastPull,
        "ratelimit.global.pull.rows.last",
        "Rows of the last pull");
  }

  void pushed(int rows, long nanos) {
    pushedRows.add(rows);
    pushes.record(nanos, TimeUnit.NANOSECONDS);
  }

  void pushFailed(CallFailure failure) {
    pushFailures.count(failure);
  }

  void pulled(int rows, int applied, long nanos) {
    pulledRows.add(rows);
    appliedRows.add(applied);
    rowsOfLastPull = rows;
    pulls.record(nanos, TimeUnit.NANOSECONDS);
  }

  void pullFailed(CallFailure failure) {
    pullFailures.count(failure);
  }

  void lostCounts() {
    losses.increment();
  }
}
