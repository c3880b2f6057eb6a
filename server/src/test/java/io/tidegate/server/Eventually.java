package io.tidegate.server;

import java.time.Duration;

/** Repeats an assertion until it holds or a timeout passes. */
final class Eventually {

  /** An assertion: throws an {@code AssertionError} until it holds. */
  interface Assertion {
    void check();
  }

  private Eventually() {}

  /** Returns when the assertion holds, or fails with its last error. It runs at least once. */
  static void within(Duration bound, Assertion assertion) {
    long deadlineNanos = System.nanoTime() + bound.toNanos();
    while (true) {
      try {
        assertion.check();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() - deadlineNanos >= 0) {
          throw e;
        }
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }
}
