package io.tidegate.redis;

import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;

/**
 * Logs outages of a connection: one line when it is lost, one when it is established again. The
 * limiter logs what an outage means for decisions; these lines have the address and the reason.
 */
final class OutageLog {

  private static final System.Logger LOG = System.getLogger("io.tidegate.redis");

  private final String server;

  /** Whether the last line reported an outage. Guarded by this. */
  private boolean reported;

  OutageLog(String server) {
    this.server = server;
  }

  /**
   * Reports an outage, once.
   *
   * @param condition whether the outage still lasts, checked under the lock: a connection that was
   *     established meanwhile has reported so already
   */
  synchronized void unavailable(String reason, BooleanSupplier condition) {
    if (!reported && condition.getAsBoolean()) {
      reported = true;
      LOG.log(
          Level.WARNING,
          "{0} is unavailable ({1}); reconnecting every {2} ms",
          server,
          reason,
          ManagedConnection.RETRY_INTERVAL.toMillis());
    }
  }

  /** Reports that the connection works, if an outage was reported. */
  synchronized void connected() {
    if (reported) {
      reported = false;
      LOG.log(Level.INFO, "Connected to {0}", server);
    }
  }
}
