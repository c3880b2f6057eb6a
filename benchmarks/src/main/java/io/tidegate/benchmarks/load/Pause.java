package io.tidegate.benchmarks;

import java.util.concurrent.locks.LockSupport;

/** Lets time pass. */
final class Pause {

  private Pause() {}

  static void millis(long millis) {
    untilNanos(System.nanoTime() + millis * 1_000_000);
  }

  /** Until {@link System#nanoTime} is past this; returns at once if it is. */
  static void untilNanos(long deadlineNanos) {
    for (long left; (left = deadlineNanos - System.nanoTime()) > 0; ) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted");
      }
      LockSupport.parkNanos(left);
    }
  }
}
