package io.tidegate.benchmarks.load;

import java.util.List;

/** Creates and joins threads of a measurement. */
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
}
