package io.tidegate.server.observe;

import io.micrometer.core.instrument.AbstractMeter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.tidegate.server.observe.Latencies.Latency;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A timer of Micrometer that records into a {@link Latency}. It keeps no maximum. */
final class LatencyTimer extends AbstractMeter implements Timer {

  private final Latency latency;

  LatencyTimer(Id id, Latency latency) {
    super(id);
    this.latency = latency;
  }

  @Override
  public void record(long amount, TimeUnit unit) {
    latency.record(unit.toNanos(amount));
  }

  @Override
  public <T> T record(Supplier<T> work) {
    long start = System.nanoTime();
    try {
      return work.get();
    } finally {
      latency.record(System.nanoTime() - start);
    }
  }

  @Override
  public <T> T recordCallable(Callable<T> work) throws Exception {
    long start = System.nanoTime();
    try {
      return work.call();
    } finally {
      latency.record(System.nanoTime() - start);
    }
  }

  @Override
  public void record(Runnable work) {
    long start = System.nanoTime();
    try {
      work.run();
    } finally {
      latency.record(System.nanoTime() - start);
    }
  }

  @Override
  public long count() {
    return latency.count();
  }

  @Override
  public double totalTime(TimeUnit unit) {
    return latency.sumNanos() / (double) unit.toNanos(1);
  }

  @Override
  public double max(TimeUnit unit) {
    return Double.NaN;
  }

  @Override
  public TimeUnit baseTimeUnit() {
    return TimeUnit.SECONDS;
  }

  @Override
  public HistogramSnapshot takeSnapshot() {
    return HistogramSnapshot.empty(count(), totalTime(baseTimeUnit()), max(baseTimeUnit()));
  }
}
