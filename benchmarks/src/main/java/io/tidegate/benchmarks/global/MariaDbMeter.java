package io.tidegate.benchmarks;

import io.tidegate.testkit.MariaDbServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads off a MariaDB server what it has done and what it holds. */
final class MariaDbMeter {

  private static final String TABLE = "tidegate.ratelimit_window_counts";

  private static final int EMPTYING_ATTEMPTS = 10;

  private final MariaDbServer server;

  MariaDbMeter(MariaDbServer server) {
    this.server = server;
  }

  /**
   * Where the meter stood.
   *
   * @param inserts INSERT statements
   * @param selects SELECT statements
   * @param rowsWritten rows of INSERT statements, whatever came of them
   * @param rowsRaised rows whose count was raised by them
   * @param rows rows of the table: those that were new have added to it
   * @param rowsSent rows that were sent to clients
   * @param lockWaits how often a statement had to wait for a row of another
   * @param deadlocks how often two waited for each other
   * @param cpuSeconds what the server has taken
   */
  record Reading(
      long inserts,
      long selects,
      long rowsWritten,
      long rowsRaised,
      long rows,
      long rowsSent,
      long lockWaits,
      long deadlocks,
      double cpuSeconds) {

    Reading since(Reading before) {
      return new Reading(
          inserts - before.inserts,
          selects - before.selects,
          rowsWritten - before.rowsWritten,
          rowsRaised - before.rowsRaised,
          rows - before.rows,
          rowsSent - before.rowsSent,
          lockWaits - before.lockWaits,
          deadlocks - before.deadlocks,
          cpuSeconds - before.cpuSeconds);
    }

    /** Rows that were there before with the same count or a higher one. */
    long rowsInVain() {
      return rowsWritten - rowsRaised - rows;
    }
  }

  /** What the table takes. */
  record Size(long rows, long liveRows, long bytes) {}

  /** MariaDB counts a row of an INSERT as written also where a row was there and is updated. */
  Reading read() {
    Map<String, Long> status = new HashMap<>();
    for (List<String> row : server.query("SHOW GLOBAL STATUS WHERE Variable_name IN"
        + " ('Com_insert', 'Com_select', 'Handler_write', 'Handler_update', 'Rows_sent',"
        + " 'Innodb_row_lock_waits', 'Innodb_deadlocks')")) {
      status.put(row.get(0), Long.valueOf(row.get(1)));
    }
    return new Reading(
        status.get("Com_insert"),
        status.get("Com_select"),
        status.get("Handler_write"),
        status.get("Handler_update"),
        Long.parseLong(server.query("SELECT COUNT(*) FROM " + TABLE).get(0).get(0)),
        status.get("Rows_sent"),
        status.get("Innodb_row_lock_waits"),
        status.get("Innodb_deadlocks"),
        server.cpuTime().toNanos() / 1e9);
  }

  Size size() {
    server.execute("ANALYZE TABLE " + TABLE);
    List<String> row = server
        .query("SELECT COUNT(*), COALESCE(SUM(expires_at > UNIX_TIMESTAMP(NOW(3)) * 1000), 0),"
            + " (SELECT data_length + index_length FROM information_schema.tables"
            + " WHERE CONCAT(table_schema, '.', table_name) = '" + TABLE + "') FROM " + TABLE)
        .get(0);
    return new Size(
        Long.parseLong(row.get(0)), Long.parseLong(row.get(1)), Long.parseLong(row.get(2)));
  }

  /**
   * Lets go of all rows. MariaDB refuses to while it renews the statistics of a table, as it does
   * after many changes.
   */
  void empty() {
    for (int attempt = 1; ; attempt++) {
      try {
        server.execute("TRUNCATE TABLE " + TABLE);
        return;
      } catch (IllegalStateException e) {
        if (attempt == EMPTYING_ATTEMPTS) {
          throw e;
        }
        Pause.millis(500);
      }
    }
  }
}
