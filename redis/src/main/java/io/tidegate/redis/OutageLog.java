package io.tidegate.redis;

import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;

/**
 * Logs outages of a server: one line when it becomes unavailable, one when it is connected again.
 */
final class OutageLog {

  private static final System.Logger LOG = System.getLogger("io.tidegate.redis");

  private final String server;

  /** Whether the last line says that the server is unavailable. Guarded by this. */
  private boolean reported;

  OutageLog(String server) {
    this.server = server;
  }

  /**
   * Reports an outage that is not reported yet.
   *
   * @param condition checked under the lock: a connection made meanwhile has reported already
   */
  synchronized void unavailable(String reason, BooleanSupplier condition) {
    if (!reported && condition.getAsBoolean()) {
      reported = true;
      LOG.log(
          Level.WARNING,
          "{0} is unavailable ({1}); requests are decided from memory, connecting again every {2} ms",
          server,
          reason,
          Link.RETRY.toMillis());
    }
  }

  /** Reports that the server is connected, if an outage has been reported. */
  synchronized void connected() {
    if (reported) {
      reported = false;
      LOG.log(Level.INFO, "Connected to {0}", server);
    }
  }
}
