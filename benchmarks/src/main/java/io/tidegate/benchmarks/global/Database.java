package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The MariaDB of a run, with its statistics, CPU time and table size. */
record Database(MariaDbServer server) implements AutoCloseable {

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

  /** Duration of a measurement, and the CPU time of MariaDB and of this process meanwhile. */
  record Usage(double seconds, double databasePercent, double processPercent) {}

  /** Starts a server with enough memory and connections; durability is MariaDB's default. */
  static Database start() {
    MariaDbServer server = MariaDbServer.start(
        "--max-connections=1000", "--innodb-buffer-pool-size=1G", "--innodb-log-file-size=256M");
    createTable(server.jdbcUrl());
    return new Database(server);
  }

  String jdbcUrl() {
    return server.jdbcUrl();
  }

  /** Creates another database on the same server and returns its URL. */
  String another(String name) {
    server.execute("CREATE DATABASE IF NOT EXISTS " + name);
    String jdbcUrl = jdbcUrl().replace("/tidegate?", "/" + name + "?");
    createTable(jdbcUrl);
    return jdbcUrl;
  }

  /** Creates the table before the nodes start, which would otherwise all try to. */
  private static void createTable(String jdbcUrl) {
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().connect()) {
      counters
          .pull(GlobalCounters.EVERYTHING, System.currentTimeMillis(), component -> {})
          .toCompletableFuture()
          .join();
    }
  }

  Usage during(Runnable work) {
    double database = cpuSeconds();
    double process = Cpu.processSeconds();
    long startNanos = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new Usage(
        seconds,
        100 * (cpuSeconds() - database) / seconds,
        100 * (Cpu.processSeconds() - process) / seconds);
  }

  private double cpuSeconds() {
    return server.cpuTime().toNanos() / 1e9;
  }

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

  @Override
  public void close() {
    server.close();
  }
}
