package io.tidegate.grpc;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for another thread or process. */
final class Await {

  private Await() {}

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain: " + what);
      }
      Thread.sleep(2);
    }
  }
}
