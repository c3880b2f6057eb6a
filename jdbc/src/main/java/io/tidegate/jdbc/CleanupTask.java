package io.tidegate.jdbc;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Deletes expired rows periodically, on a daemon thread of its own. */
final class CleanupTask {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** A million rows; the next run deletes the rest. */
  private static final int MAX_BATCHES = 40;

  private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, work -> {
    Thread thread = new Thread(work, "tidegate-cleanup");
    thread.setDaemon(true);
    return thread;
  });
  private final Connections connections;
  private final CounterSchema schema;
  private volatile boolean closed;

  /**
   * Starts at a random time within the first interval, so that nodes that start together do not
   * clean up together.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // run() handles its failures
  CleanupTask(Connections connections, CounterSchema schema, Duration interval) {
    this.connections = connections;
    this.schema = schema;
    long millis = interval.toMillis();
    executor.scheduleWithFixedDelay(
        this::run, ThreadLocalRandom.current().nextLong(millis), millis, TimeUnit.MILLISECONDS);
  }

  private void run() {
    try {
      schema.ensure();
      long deleted = Cleanup.run(connections, MAX_BATCHES, rows -> {});
      LOG.log(Level.DEBUG, "Deleted {0} expired rows of ratelimit_window_counts", deleted);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    } catch (SQLException | RuntimeException e) {
      if (!closed) {
        LOG.log(
            Level.WARNING,
            "Cannot delete expired rows of ratelimit_window_counts; the next cleanup will retry: {0}",
            SqlFailures.reason(e));
      }
    }
  }

  void close() {
    closed = true;
    executor.shutdownNow();
  }
}
