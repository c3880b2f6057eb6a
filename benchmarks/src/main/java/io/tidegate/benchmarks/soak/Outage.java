package io.tidegate.benchmarks.soak;

import io.tidegate.benchmarks.load.Threads;
import java.io.IOException;

/**
 * A restart of a store.
 *
 * @param second when it was killed, since the load began
 * @param downSeconds until it answered again
 * @param recoverySeconds from then until the server reported that all dependencies work
 */
record Outage(String store, double second, double downSeconds, double recoverySeconds) {

  private static final long POLL_MILLIS = 100;

  /** Far longer than a recovery; then the outage is reported as not recovered. */
  private static final double GIVE_UP_SECONDS = 120;

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
    while (!admin.isHealthy() && secondsSince(startNanos) - back < GIVE_UP_SECONDS) {
      Threads.sleep(POLL_MILLIS);
    }
    boolean recovered = admin.isHealthy();
    double recovery = recovered ? secondsSince(startNanos) - back : Double.POSITIVE_INFINITY;
    return new Outage(store.store, killed, back - killed, recovery);
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  boolean recovered() {
    return Double.isFinite(recoverySeconds);
  }
}
