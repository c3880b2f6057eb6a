package io.tidegate.benchmarks.global;

import io.tidegate.report.Percentiles;
import io.tidegate.spi.LimiterObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Adds up pushes and pulls of all nodes of a fleet, their latency and CPU time. Thread-safe. */
final class ExchangeMeter implements LimiterObserver {

  private final LongAdder pushedRows = new LongAdder();
  private final LongAdder pulledRows = new LongAdder();
  private final LongAdder newRows = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();
  private final Queue<Double> tickCpuMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pushMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pullMillis = new ConcurrentLinkedQueue<>();

  /**
   * Activity of an interval.
   *
   * @param newRows pulled rows that raised a count
   * @param failures of pushes and pulls
   * @param cpuNanos CPU time of ticks, of handling answers to pushes, and of merging pulled rows
   * @param tickCpuMillis CPU time of ticks that pushed something
   */
  record Reading(
      long pushedRows,
      long pulledRows,
      long newRows,
      long failures,
      long cpuNanos,
      Percentiles tickCpuMillis,
      Percentiles pushMillis,
      Percentiles pullMillis) {

    double shareOfNewRows() {
      return (double) newRows / pulledRows;
    }
  }

  /** Returns the activity since the last call. */
  Reading take() {
    return new Reading(
        pushedRows.sumThenReset(),
        pulledRows.sumThenReset(),
        newRows.sumThenReset(),
        failures.sumThenReset(),
        cpuNanos.sumThenReset(),
        take(tickCpuMillis),
        take(pushMillis),
        take(pullMillis));
  }

  private static Percentiles take(Queue<Double> samples) {
    List<Double> taken = new ArrayList<>();
    for (Double sample; (sample = samples.poll()) != null; ) {
      taken.add(sample);
    }
    return Percentiles.of(taken);
  }

  void used(long nanos) {
    cpuNanos.add(nanos);
  }

  void pushingTick(long nanos) {
    tickCpuMillis.add(nanos / 1e6);
  }

  @Override
  public void pushed(int rows, long nanos) {
    pushedRows.add(rows);
    pushMillis.add(nanos / 1e6);
  }

  @Override
  public void pushFailed(CallFailure failure) {
    failures.increment();
  }

  @Override
  public void pulled(int rows, int applied, int created, long nanos) {
    pulledRows.add(rows);
    newRows.add(applied);
    pullMillis.add(nanos / 1e6);
  }

  @Override
  public void pullFailed(CallFailure failure) {
    failures.increment();
  }
}
