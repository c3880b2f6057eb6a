package io.tidegate.jdbc;

import io.tidegate.spi.GlobalCounters;
import io.tidegate.testing.contract.GlobalCountersContract;
import io.tidegate.testkit.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class JdbcGlobalCountersTest extends GlobalCountersContract {

  private static MariaDbServer server;
  private static JdbcGlobalCounters counters;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    Fleet.createTables(server);
    counters = JdbcGlobalCounters.connect(server.jdbcUrl());
  }

  @AfterAll
  static void stop() {
    counters.close();
    server.close();
  }

  @BeforeEach
  void empty() {
    server.execute("DELETE FROM ratelimit_window_counts");
    server.execute("DELETE FROM ratelimit_regions");
  }

  @Override
  protected GlobalCounters counters() {
    return counters;
  }
}
