package io.tidegate.benchmarks;

import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;

/** The MariaDB of a run, with the table in it. */
final class GlobalDatabase {

  private GlobalDatabase() {}

  /**
   * Starts a server. With more memory than tests have, and connections for 99 nodes; each statement
   * is on disk before it is answered, as is MariaDB's default.
   */
  static MariaDbServer start() {
    MariaDbServer server = MariaDbServer.start(
        "--max-connections=1000", "--innodb-buffer-pool-size=1G", "--innodb-log-file-size=256M");
    makeTable(server.jdbcUrl());
    return server;
  }

  /** Makes another database on the same server; returns its URL. */
  static String another(MariaDbServer server, String name) {
    server.execute("CREATE DATABASE IF NOT EXISTS " + name);
    String jdbcUrl = server.jdbcUrl().replace("/tidegate?", "/" + name + "?");
    makeTable(jdbcUrl);
    return jdbcUrl;
  }

  /** Once, and not by each of the nodes. */
  private static void makeTable(String jdbcUrl) {
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().connect()) {
      counters
          .pull(GlobalCounters.EVERYTHING, System.currentTimeMillis(), component -> {})
          .toCompletableFuture()
          .join();
    }
  }
}
