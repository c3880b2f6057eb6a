package io.tidegate.jdbc;

import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Says that something is wrong with some rows, once a minute however often it happens. Whose they
 * are is said to those alone who debug: identifiers belong in no other log.
 */
final class RowLog {

  private static final System.Logger LOG = System.getLogger("io.tidegate");
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final String message;
  private boolean said;
  private long saidNanos;

  /**
   * A log of one thing.
   *
   * @param message with the number of rows
   */
  RowLog(String message) {
    this.message = message;
  }

  synchronized void say(int rows, Object example) {
    long now = System.nanoTime();
    if (rows > 0 && (!said || now - saidNanos >= INTERVAL_NANOS)) {
      LOG.log(Level.WARNING, message, rows);
      LOG.log(Level.DEBUG, "One of the {0} rows: {1}", rows, example);
      said = true;
      saidNanos = now;
    }
  }
}
