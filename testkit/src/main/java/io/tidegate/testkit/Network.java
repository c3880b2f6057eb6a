package io.tidegate.testkit;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How the network between the two sides of a proxy is at the moment; those who carry bytes wait
 * here for passage.
 */
final class Network {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /**
   * Both are written under the lock, which those who wait look under; those who need not wait never
   * take it.
   */
  private volatile long latencyNanos;

  private volatile boolean blackHole;

  void latency(Duration eachWay) {
    change(() -> latencyNanos = eachWay.toNanos());
  }

  void blackHole(boolean on) {
    change(() -> blackHole = on);
  }

  /** Makes all who wait look again whether they still want to. */
  void wake() {
    change(() -> {});
  }

  /** Returns when bytes may be taken up, or the caller has given up. */
  void awaitEntry(BooleanSupplier givenUp) {
    await(() -> blackHole ? Long.MAX_VALUE : 0, givenUp);
  }

  /**
   * Returns when what arrived then may leave, or the caller has given up. The latency of now
   * counts, not that of the arrival: a healed network is fast at once.
   */
  void awaitExit(long arrivedNanos, BooleanSupplier givenUp) {
    await(
        () -> blackHole ? Long.MAX_VALUE : latencyNanos - (System.nanoTime() - arrivedNanos),
        givenUp);
  }

  private void await(LongSupplier waitNanos, BooleanSupplier givenUp) {
    if (waitNanos.getAsLong() <= 0) {
      return;
    }
    lock.lock();
    try {
      for (long nanos = waitNanos.getAsLong();
          nanos > 0 && !givenUp.getAsBoolean();
          nanos = waitNanos.getAsLong()) {
        changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts those who carry bytes", e);
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
