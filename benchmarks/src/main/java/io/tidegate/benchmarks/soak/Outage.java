package io.tidegate.benchmarks.soak;

import io.tidegate.benchmarks.load.Threads;
import java.io.IOException;

/**
 * A restart of a store.
 *
 * @param second when it was killed, since the load began
 * @param downSeconds until it answered again
 * @param recoverySeconds from then until the server reported that all dependencies work, and
 *     continued to do so for a second
 */
record Outage(String store, double second, double downSeconds, double recoverySeconds) {

  private static final long POLL_MILLIS = 100;

  /** Far longer than a recovery; then the outage is reported as not recovered. */
  private static final double GIVE_UP_SECONDS = 120;

  /** A single call that is slow or fails makes the server report a problem for a moment. */
  private static final double STABLE_SECONDS = 1;

  /** How to kill a store, and how to start it again. */
  record Switch(String store, Runnable kill, Runnable restart) {}

  /** Kills a store, starts it again, and waits for the server. */
  static Outage of(Switch store, int outageSeconds, long startNanos, Admin admin)
      throws IOException {
    double killed = secondsSince(startNanos);
    store.kill.run();
    Threads.sleep(outageSeconds * 1_000L);
    store.restart.run();
    double back = secondsSince(startNanos);
    double recovered = awaitHealthy(admin, startNanos);
    return new Outage(store.store, killed, back - killed, recovered - back);
  }

  /** The second since which the server is healthy; infinite if it is not in the end. */
  private static double awaitHealthy(Admin admin, long startNanos) throws IOException {
    double began = secondsSince(startNanos);
    double healthySince = Double.POSITIVE_INFINITY;
    for (double now = began; now - began < GIVE_UP_SECONDS; now = secondsSince(startNanos)) {
      healthySince = admin.isHealthy() ? Math.min(healthySince, now) : Double.POSITIVE_INFINITY;
      if (now - healthySince >= STABLE_SECONDS) {
        break;
      }
      Threads.sleep(POLL_MILLIS);
    }
    return healthySince;
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  boolean recovered() {
    return Double.isFinite(recoverySeconds);
  }
}
