package io.tidegate.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The current faults of the network between the two sides of a proxy. Pipes wait here. */
final class Network {

  /** Bound for a fault to take effect, and for a wait to end after it. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private volatile long latencyNanos;
  private volatile boolean blackHole;

  void latency(Duration eachWay) {
    latencyNanos = eachWay.toNanos();
  }

  void blackHole(boolean on) {
    blackHole = on;
  }

  /** Returns when bytes may be read, or the caller has given up. */
  void awaitEntry(BooleanSupplier givenUp) {
    while (blackHole && !givenUp.getAsBoolean()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * Returns when bytes that arrived at a time may be delivered, or the caller has given up. The
   * current latency applies, so that a healed network is fast at once.
   */
  void awaitExit(long arrivedNanos, BooleanSupplier givenUp) {
    for (long nanos = waitNanos(arrivedNanos);
        nanos > 0 && !givenUp.getAsBoolean();
        nanos = waitNanos(arrivedNanos)) {
      LockSupport.parkNanos(Math.min(nanos, POLL_NANOS));
    }
  }

  private long waitNanos(long arrivedNanos) {
    return blackHole ? POLL_NANOS : latencyNanos - (System.nanoTime() - arrivedNanos);
  }
}
