package io.tidegate.benchmarks;

import java.util.List;

/** Threads that end with what they measure. */
final class Threads {

  private Threads() {}

  /** A thread that does not keep the JVM alive, not started yet. */
  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Waits until all have come to their end. */
  static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
