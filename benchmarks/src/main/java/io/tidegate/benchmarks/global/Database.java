package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.util.List;

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

  /** Connects like a node, but without cleanup. */
  static GlobalCounters connect(String jdbcUrl) {
    return JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().migrate(false).connect();
  }

  /** Creates another database on the same server and returns its URL. */
  String another(String name) {
    server.execute("CREATE DATABASE IF NOT EXISTS " + name);
    String jdbcUrl = server.jdbcUrl().replace("/tidegate?", "/" + name + "?");
    createTable(jdbcUrl);
    return jdbcUrl;
  }

  /** Creates the table before the nodes start, which would otherwise all try to. */
  private static void createTable(String jdbcUrl) {
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().connect()) {
      counters
          .pull("none", GlobalCounters.EVERYTHING, System.currentTimeMillis(), component -> {})
          .toCompletableFuture()
          .join();
    }
  }

  Usage during(Runnable work) {
    double database = server.cpuTime().toNanos() / 1e9;
    double process = Cpu.processSeconds();
    long startNanos = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new Usage(
        seconds,
        100 * (server.cpuTime().toNanos() / 1e9 - database) / seconds,
        100 * (Cpu.processSeconds() - process) / seconds);
  }

  /** MariaDB counts every row of an INSERT as a write, even if it updates a row. */
  Reading read() {
    List<Long> status =
        numbers("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME IN"
            + " ('COM_INSERT', 'COM_SELECT', 'HANDLER_UPDATE', 'HANDLER_WRITE')"
            + " ORDER BY VARIABLE_NAME");
    long rows = numbers("SELECT COUNT(*) FROM " + TABLE).get(0);
    return new Reading(status.get(0), status.get(1), status.get(3), status.get(2), rows);
  }

  Size size() {
    server.execute("ANALYZE TABLE " + TABLE);
    List<Long> sizes =
        numbers("SELECT COUNT(*), COALESCE(SUM(expires_at > UNIX_TIMESTAMP(NOW(3)) * 1000), 0),"
            + " (SELECT data_length + index_length FROM information_schema.tables"
            + " WHERE CONCAT(table_schema, '.', table_name) = '" + TABLE + "') FROM " + TABLE);
    return new Size(sizes.get(0), sizes.get(1), sizes.get(2));
  }

  private List<Long> numbers(String sql) {
    return server.query(sql).stream().flatMap(List::stream).map(Long::valueOf).toList();
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
        Threads.sleep(500);
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
