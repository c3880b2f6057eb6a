package io.tidegate.benchmarks.load;

import java.util.concurrent.locks.LockSupport;

/** Sleeps without checked exceptions. */
public final class Pause {

  private Pause() {}

  public static void millis(long millis) {
    untilNanos(System.nanoTime() + millis * 1_000_000);
  }

  /** Waits until {@link System#nanoTime} has passed a deadline. */
  public static void untilNanos(long deadlineNanos) {
    for (long left; (left = deadlineNanos - System.nanoTime()) > 0; ) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted");
      }
      LockSupport.parkNanos(left);
    }
  }
}
