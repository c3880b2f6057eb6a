package io.tidegate.benchmarks;

import io.tidegate.global.GlobalLayer;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The scheduler of one node, with a thread of its own as every process has one: nodes that shared
 * it would wait for each other. Tells what the ticks of the exchange take.
 */
final class MeteredScheduler implements Scheduler, AutoCloseable {

  private final ScheduledThreadPoolExecutor executor;
  private final LongConsumer exchangeCpuNanos;

  MeteredScheduler(String name, LongConsumer exchangeCpuNanos) {
    this.exchangeCpuNanos = exchangeCpuNanos;
    this.executor = new ScheduledThreadPoolExecutor(1, work -> Threads.daemon(name, work));
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Task every(Duration interval, Runnable work) {
    Runnable metered = interval.equals(GlobalLayer.TICK) ? () -> measure(work) : work;
    long millis = interval.toMillis();
    ScheduledFuture<?> task =
        executor.scheduleWithFixedDelay(metered, millis, millis, TimeUnit.MILLISECONDS);
    return () -> task.cancel(false);
  }

  private void measure(Runnable work) {
    long before = Cpu.threadNanos();
    work.run();
    exchangeCpuNanos.accept(Cpu.threadNanos() - before);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
