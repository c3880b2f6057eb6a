package io.tidegate.spi;

import java.time.Duration;

/**
 * Runs the periodic work of a limiter, which starts no thread of its own.
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
   * Runs work once per interval until the task is cancelled. Two runs of one task never overlap.
   *
   * @param interval the time between two runs; the first run is after one interval
   * @param work takes milliseconds, does not block and does not throw
   * @return the task
   */
  Task every(Duration interval, Runnable work);

  /**
   * Returns the time that intervals and timeouts are measured with: {@code scheduler.elapsedNanos()
   * - before}. It never goes back, and is unrelated to the time of day.
   *
   * @return nanoseconds since an arbitrary origin
   */
  default long elapsedNanos() {
    return System.nanoTime();
  }

  /** Periodic work. */
  @FunctionalInterface
  interface Task {

    /** Prevents further runs: {@code task.cancel()}. Cancelling twice changes nothing. */
    void cancel();
  }
}
