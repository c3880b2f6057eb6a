package io.tidegate.jdbc;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Deletes what has expired now and then, on a daemon thread of its own. */
final class CleanupTask {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** A million rows; if there are more, the next time goes on with them. */
  private static final int MOST_BATCHES = 40;

  private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, work -> {
    Thread thread = new Thread(work, "tidegate-cleanup");
    thread.setDaemon(true);
    return thread;
  });
  private final Connections connections;
  private final Schema schema;
  private volatile boolean closed;

  /**
   * Begins somewhere in the first interval: nodes that start together should not clean together.
   */
  CleanupTask(Connections connections, Schema schema, Duration interval) {
    this.connections = connections;
    this.schema = schema;
    long millis = interval.toMillis();
    executor.scheduleWithFixedDelay(
        this::run, ThreadLocalRandom.current().nextLong(millis), millis, TimeUnit.MILLISECONDS);
  }

  private void run() {
    try {
      schema.ensure();
      long deleted = Cleanup.run(connections, MOST_BATCHES, rows -> {});
      LOG.log(Level.DEBUG, "deleted {0} expired rows of ratelimit_window_counts", deleted);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    } catch (SQLException | RuntimeException e) {
      if (!closed) {
        LOG.log(
            Level.WARNING,
            "Expired rows of ratelimit_window_counts could not be deleted; the next time will try again: {0}",
            SqlFailures.reason(e));
      }
    }
  }

  void close() {
    closed = true;
    executor.shutdownNow();
  }
}
