package io.tidegate.spi;

import java.time.Duration;

/**
 * Runs the limiter's periodic work. A limiter starts no thread of its own.
 *
 * <pre>{@code
 * Scheduler scheduler = (interval, work) -> {
 *   long nanos = interval.toNanos();
 *   ScheduledFuture<?> task = executor.scheduleWithFixedDelay(work, nanos, nanos, NANOSECONDS);
 *   return () -> task.cancel(false);
 * };
 * }</pre>
 */
@FunctionalInterface
public interface Scheduler {

  /**
   * Runs the work once every interval, never twice at the same time, until the task is cancelled.
   *
   * @param interval the time between two runs; the first run comes after one interval
   * @param work what to run; takes milliseconds and does not block
   * @return the task, to cancel it
   */
  Task every(Duration interval, Runnable work);

  /**
   * The time by which intervals and timeouts are measured: {@code scheduler.elapsedNanos() -
   * before}. Never runs back, and says nothing about the time of day.
   *
   * @return nanoseconds since some moment
   */
  default long elapsedNanos() {
    return System.nanoTime();
  }

  /** Work that goes on until it is cancelled. */
  @FunctionalInterface
  interface Task {

    /** Lets no further run begin: {@code task.cancel()}. Cancelling twice changes nothing. */
    void cancel();
  }
}
