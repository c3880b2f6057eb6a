package io.tidegate.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do and nobody tells: by looking again, and not for ever. */
final class Waiting {

  private Waiting() {}

  /** Whether the condition came true within the bound. It is tried at least once. */
  static boolean until(Duration bound, BooleanSupplier condition) {
    long deadlineNanos = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNanos >= 0) {
        return false;
      }
      try {
        Thread.sleep(5); // a server starts in some 15 ms
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting", e);
      }
    }
    return true;
  }
}
