package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.global.GlobalLayer;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The scheduler of one node, with its own thread, so that nodes do not wait for each other. Reports
 * the CPU time of each tick of the global layer.
 */
final class MeteredScheduler implements Scheduler, AutoCloseable {

  private final ScheduledThreadPoolExecutor executor;
  private final LongConsumer tickCpuNanos;

  MeteredScheduler(String name, LongConsumer tickCpuNanos) {
    this.tickCpuNanos = tickCpuNanos;
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
    tickCpuNanos.accept(Cpu.threadNanos() - before);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
