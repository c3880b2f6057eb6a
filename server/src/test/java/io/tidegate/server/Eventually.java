package io.tidegate.server;

import java.time.Duration;

/** Waits for what another thread or process does: by looking again, and not for ever. */
final class Eventually {

  /** What is to hold; throws an {@code AssertionError} as long as it does not. */
  interface Assertion {
    void check();
  }

  private Eventually() {}

  /** Returns as soon as it holds; fails as it last failed. It is tried at least once. */
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
