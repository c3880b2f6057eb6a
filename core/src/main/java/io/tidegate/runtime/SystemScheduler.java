package io.tidegate.runtime;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A daemon thread for periodic work. It starts with the first task, and ends ten seconds after the
 * last one was cancelled.
 */
public final class SystemScheduler implements Scheduler {

  private static final SystemScheduler SHARED = new SystemScheduler("tidegate-scheduler");
  private static final SystemScheduler CLOCKS = new SystemScheduler("tidegate-clock");

  private final ScheduledThreadPoolExecutor executor;

  private SystemScheduler(String threadName) {
    executor = new ScheduledThreadPoolExecutor(1, work -> {
      Thread thread = new Thread(work, threadName);
      thread.setDaemon(true);
      return thread;
    });
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(10, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
  }

  /** The default scheduler of all limiters in this JVM. */
  public static SystemScheduler shared() {
    return SHARED;
  }

  /** For coarse clocks alone: the work of a limiter takes milliseconds and would make them late. */
  public static SystemScheduler ofClocks() {
    return CLOCKS;
  }

  @Override
  public Task every(Duration interval, Runnable work) {
    ScheduledFuture<?> task = executor.scheduleWithFixedDelay(
        work, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    return () -> task.cancel(false);
  }
}
