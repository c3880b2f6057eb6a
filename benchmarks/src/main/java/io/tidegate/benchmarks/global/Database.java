package io.tidegate.benchmarks.global;

import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;

/** Starts the MariaDB of a run and creates its tables. */
final class Database {

  private Database() {}

  /** Starts a server with enough memory and connections; durability is MariaDB's default. */
  static MariaDbServer start() {
    MariaDbServer server = MariaDbServer.start(
        "--max-connections=1000", "--innodb-buffer-pool-size=1G", "--innodb-log-file-size=256M");
    createTable(server.jdbcUrl());
    return server;
  }

  /** Creates another database on the same server and returns its URL. */
  static String another(MariaDbServer server, String name) {
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
          .pull(GlobalCounters.EVERYTHING, System.currentTimeMillis(), component -> {})
          .toCompletableFuture()
          .join();
    }
  }
}
