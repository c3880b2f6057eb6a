package io.tidegate.jdbc;

import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A warning about unusable rows, logged at most once a minute. An example is logged at debug level
 * only, because it has an identifier of a user. Thread-safe.
 */
final class RowWarning {

  private static final System.Logger LOG = System.getLogger("io.tidegate");
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final String message;

  /** Time of the last warning; null before the first. Guarded by this. */
  private @Nullable Long loggedNanos;

  /**
   * A warning that has not been logged yet.
   *
   * @param message with a placeholder for the number of rows
   */
  RowWarning(String message) {
    this.message = message;
  }

  synchronized void log(int rows, Object example) {
    long now = System.nanoTime();
    Long last = loggedNanos;
    if (last == null || now - last >= INTERVAL_NANOS) {
      LOG.log(Level.WARNING, message, rows);
      LOG.log(Level.DEBUG, "One of the {0} rows: {1}", rows, example);
      loggedNanos = now;
    }
  }
}
