package io.tidegate.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for other threads and processes by polling a condition, up to a timeout. */
public final class Waiting {

  /** Far more than a healthy machine needs, so that a busy one fails no test. */
  public static final Duration LONG = Duration.ofSeconds(60);

  private Waiting() {}

  /** Whether the condition becomes true within the timeout. Checks it at least once. */
  public static boolean until(Duration timeout, BooleanSupplier condition) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNanos >= 0) {
        return false;
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting", e);
      }
    }
    return true;
  }

  /** Fails if the condition does not become true within {@link #LONG}. */
  public static void await(String what, BooleanSupplier condition) {
    if (!until(LONG, condition)) {
      throw new AssertionError("waited " + LONG + " for " + what);
    }
  }

  /** Repeats assertions until they pass. After the timeout, throws what the last run throws. */
  public static void untilPassed(Duration timeout, Runnable assertions) {
    if (!until(timeout, () -> passes(assertions))) {
      assertions.run();
    }
  }

  private static boolean passes(Runnable assertions) {
    try {
      assertions.run();
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }
}
