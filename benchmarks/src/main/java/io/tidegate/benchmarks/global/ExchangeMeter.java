package io.tidegate.benchmarks;

import io.tidegate.report.Percentiles;
import io.tidegate.spi.LimiterObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Adds up what the exchanges of all nodes of a fleet do, and what they take for it. */
final class ExchangeMeter implements LimiterObserver {

  private final LongAdder pushedRows = new LongAdder();
  private final LongAdder pulledRows = new LongAdder();
  private final LongAdder newsRows = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder pushCpuNanos = new LongAdder();
  private final LongAdder pullCpuNanos = new LongAdder();
  private final Queue<Double> tickCpuMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pushMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> pullMillis = new ConcurrentLinkedQueue<>();

  /**
   * Where the meter stood.
   *
   * @param pushedRows how many rows pushes have sent
   * @param pulledRows how many rows pulls have brought
   * @param newsRows how many of those were news
   * @param failures of pushes and pulls
   * @param pushCpuNanos CPU of ticks, and of what follows a push's answer
   * @param pullCpuNanos CPU of merging what was pulled
   */
  record Reading(
      long pushedRows,
      long pulledRows,
      long newsRows,
      long failures,
      long pushCpuNanos,
      long pullCpuNanos) {

    Reading since(Reading before) {
      return new Reading(
          pushedRows - before.pushedRows,
          pulledRows - before.pulledRows,
          newsRows - before.newsRows,
          failures - before.failures,
          pushCpuNanos - before.pushCpuNanos,
          pullCpuNanos - before.pullCpuNanos);
    }
  }

  Reading read() {
    return new Reading(
        pushedRows.sum(),
        pulledRows.sum(),
        newsRows.sum(),
        failures.sum(),
        pushCpuNanos.sum(),
        pullCpuNanos.sum());
  }

  /** The CPU of each tick in which something was pushed, since this was asked last. */
  Percentiles takeTickCpuMillis() {
    return take(tickCpuMillis);
  }

  /** How long pushes took, since this was asked last. */
  Percentiles takePushMillis() {
    return take(pushMillis);
  }

  /** How long pulls took, since this was asked last. */
  Percentiles takePullMillis() {
    return take(pullMillis);
  }

  private static Percentiles take(Queue<Double> samples) {
    List<Double> taken = new ArrayList<>();
    for (Double sample; (sample = samples.poll()) != null; ) {
      taken.add(sample);
    }
    return taken.isEmpty() ? Percentiles.NONE : Percentiles.of(taken);
  }

  /** A tick is over. */
  void ticked(long cpuNanos, boolean pushed) {
    pushCpuNanos.add(cpuNanos);
    if (pushed) {
      tickCpuMillis.add(cpuNanos / 1e6);
    }
  }

  /** A push's answer was taken note of. */
  void tookAnswer(long cpuNanos) {
    pushCpuNanos.add(cpuNanos);
  }

  /** Something was merged. */
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
    newsRows.add(applied);
    pullMillis.add(nanos / 1e6);
  }

  @Override
  public void pullFailed(CallFailure failure) {
    failures.increment();
  }
}
