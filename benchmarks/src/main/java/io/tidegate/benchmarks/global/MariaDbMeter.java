package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Pause;
import io.tidegate.testkit.MariaDbServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the statistics and table size of a MariaDB server. */
record MariaDbMeter(MariaDbServer server) {

  private static final String TABLE = "tidegate.ratelimit_window_counts";

  private static final int EMPTY_ATTEMPTS = 10;

  /**
   * Sums since the start of the server.
   *
   * @param rowsWritten rows of INSERT statements, with or without effect
   * @param rowsRaised rows whose count they raised
   * @param rows rows of the table
   */
  record Reading(long inserts, long selects, long rowsWritten, long rowsRaised, long rows) {

    Reading since(Reading before) {
      return new Reading(
          inserts - before.inserts,
          selects - before.selects,
          rowsWritten - before.rowsWritten,
          rowsRaised - before.rowsRaised,
          rows - before.rows);
    }

    /** Share of written rows that existed with the same or a higher count. */
    double shareUnchanged() {
      return (double) (rowsWritten - rowsRaised - rows) / rowsWritten;
    }
  }

  record Size(long rows, long liveRows, long bytes) {}

  /** MariaDB counts every row of an INSERT as a write, even if it updates a row. */
  Reading read() {
    Map<String, Long> status = new HashMap<>();
    for (List<String> row : server.query("SHOW GLOBAL STATUS WHERE Variable_name IN"
        + " ('Com_insert', 'Com_select', 'Handler_write', 'Handler_update')")) {
      status.put(row.get(0), Long.valueOf(row.get(1)));
    }
    return new Reading(
        value(status, "Com_insert"),
        value(status, "Com_select"),
        value(status, "Handler_write"),
        value(status, "Handler_update"),
        Long.parseLong(server.query("SELECT COUNT(*) FROM " + TABLE).get(0).get(0)));
  }

  private static long value(Map<String, Long> status, String name) {
    return Objects.requireNonNull(status.get(name), name);
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

  /** Deletes all rows. MariaDB rejects that while it updates the statistics of the table. */
  void empty() {
    for (int attempt = 1; ; attempt++) {
      try {
        server.execute("TRUNCATE TABLE " + TABLE);
        return;
      } catch (IllegalStateException e) {
        if (attempt == EMPTY_ATTEMPTS) {
          throw e;
        }
        Pause.millis(500);
      }
    }
  }
}
