package io.tidegate.runtime;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The default scheduler: one daemon thread for the periodic work of all limiters in this JVM. The
 * thread ends ten seconds after the last limiter was closed.
 */
public final class SystemScheduler implements Scheduler {

  private static final SystemScheduler SHARED = new SystemScheduler();

  private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, work -> {
    Thread thread = new Thread(work, "tidegate-scheduler");
    thread.setDaemon(true);
    return thread;
  });

  private SystemScheduler() {
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(10, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
  }

  public static SystemScheduler shared() {
    return SHARED;
  }

  @Override
  public Task every(Duration interval, Runnable work) {
    ScheduledFuture<?> task = executor.scheduleWithFixedDelay(
        work, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    return () -> task.cancel(false);
  }
}
