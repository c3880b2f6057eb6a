package io.tidegate.runtime;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One daemon thread for the periodic work of all limiters in this JVM that were given no scheduler.
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
    executor.setKeepAliveTime(
        10, TimeUnit.SECONDS); // then a JVM without limiters is without the thread
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
