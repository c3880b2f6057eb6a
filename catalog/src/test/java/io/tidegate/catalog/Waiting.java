package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition by polling it. */
final class Waiting {

  /** Far beyond what a healthy machine needs, so that a busy one fails no test. */
  static final Duration LONG = Duration.ofSeconds(60);

  private Waiting() {}

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for: %s", what).isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }
}
