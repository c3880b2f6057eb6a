package io.tidegate.benchmarks.load;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Threads of a measurement, and sleeping without checked exceptions. */
public final class Threads {

  private Threads() {}

  /** Creates a daemon thread, not started yet. */
  public static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  public static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public static void sleep(long millis) {
    sleepUntil(System.nanoTime() + millis * 1_000_000);
  }

  /** Sleeps until {@link System#nanoTime} has passed a deadline. */
  public static void sleepUntil(long deadlineNanos) {
    for (long left; (left = deadlineNanos - System.nanoTime()) > 0; ) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted");
      }
      LockSupport.parkNanos(left);
    }
  }
}
