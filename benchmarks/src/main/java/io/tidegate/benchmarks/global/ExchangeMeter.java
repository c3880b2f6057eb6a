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
  private final LongAdder pushCpuNanos = new LongAdder();
  private final LongAdder pullCpuNanos = new LongAdder();
  private final Queue<Double> tickCpuMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pushMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pullMillis = new ConcurrentLinkedQueue<>();

  /**
   * Sums since the start.
   *
   * @param newRows pulled rows that raised a count
   * @param failures of pushes and pulls
   * @param pushCpuNanos CPU time of ticks, and of handling the answers to pushes
   * @param pullCpuNanos CPU time of merging pulled rows
   */
  record Reading(
      long pushedRows,
      long pulledRows,
      long newRows,
      long failures,
      long pushCpuNanos,
      long pullCpuNanos) {

    Reading since(Reading before) {
      return new Reading(
          pushedRows - before.pushedRows,
          pulledRows - before.pulledRows,
          newRows - before.newRows,
          failures - before.failures,
          pushCpuNanos - before.pushCpuNanos,
          pullCpuNanos - before.pullCpuNanos);
    }
  }

  Reading read() {
    return new Reading(
        pushedRows.sum(),
        pulledRows.sum(),
        newRows.sum(),
        failures.sum(),
        pushCpuNanos.sum(),
        pullCpuNanos.sum());
  }

  /** CPU times of ticks that pushed something, since the last call. */
  Percentiles takeTickCpuMillis() {
    return take(tickCpuMillis);
  }

  /** Latencies of pushes since the last call. */
  Percentiles takePushMillis() {
    return take(pushMillis);
  }

  /** Latencies of pulls since the last call. */
  Percentiles takePullMillis() {
    return take(pullMillis);
  }

  private static Percentiles take(Queue<Double> samples) {
    List<Double> taken = new ArrayList<>();
    for (Double sample; (sample = samples.poll()) != null; ) {
      taken.add(sample);
    }
    return Percentiles.of(taken);
  }

  void idleTick(long cpuNanos) {
    pushCpuNanos.add(cpuNanos);
  }

  void pushingTick(long cpuNanos) {
    pushCpuNanos.add(cpuNanos);
    tickCpuMillis.add(cpuNanos / 1e6);
  }

  void handledAnswer(long cpuNanos) {
    pushCpuNanos.add(cpuNanos);
  }

  void merged(long cpuNanos) {
    pullCpuNanos.add(cpuNanos);
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
