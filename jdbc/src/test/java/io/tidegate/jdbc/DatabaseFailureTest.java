package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.contract.Load;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** During every failure of the database, no decision waits for it, and no count is lost. */
class DatabaseFailureTest {

  private static final List<String> REGIONS = List.of("eu", "us");
  private static final int SERIES = 300;

  /** No decision waits for the database; the bound allows for a busy machine. */
  private static final Duration LONGEST_DECISION = Duration.ofSeconds(1);

  private static final String UPDATE =
      "UPDATE ratelimit_window_counts SET expires_at = expires_at + 1";

  private MariaDbServer server;
  private TcpProxy proxy;
  private Fleet fleet;

  @AfterEach
  void close() {
    if (fleet != null) {
      fleet.close();
    }
    if (proxy != null) {
      proxy.close();
    }
    server.close();
  }

  private Load start(String... arguments) {
    server = MariaDbServer.start(arguments);
    return load(server.jdbcUrl());
  }

  private Load startBehindProxy() {
    server = MariaDbServer.start();
    proxy = TcpProxy.start(server.port());
    return load(server.jdbcUrl().replace(":" + server.port(), ":" + proxy.port()));
  }

  private Load load(String jdbcUrl) {
    fleet = new Fleet(jdbcUrl);
    fleet.policy = PushPolicy.floor(0, Fleet.INTERVAL); // pushes every count
    REGIONS.forEach(fleet::node);
    return new Load(fleet.nodes, 1, Fleet.SCOPE, SERIES);
  }

  /** Stops the load, and checks that database and nodes finally have every admitted token. */
  private void checkNoCountWasLost(Load load) {
    load.stop(LONGEST_DECISION);
    assertThat(load.degraded()).isZero();
    Map<String, Long> admitted = new HashMap<>();
    for (int region = 0; region < REGIONS.size(); region++) {
      for (int series = 0; series < SERIES; series++) {
        long count = load.admitted(region, series);
        if (count > 0) {
          admitted.put(REGIONS.get(region) + " " + Load.identifier(series), count);
        }
      }
    }
    Fleet.await("all rows", () -> rows().equals(admitted));
    for (int series = 0; series < SERIES; series++) {
      String identifier = Load.identifier(series);
      long sum = load.admitted(series);
      for (RateLimiter node : fleet.nodes) {
        Fleet.await(identifier + " to have " + sum, () -> Fleet.count(node, identifier) == sum);
      }
    }
  }

  private Map<String, Long> rows() {
    return server
        .query("SELECT CONCAT(region, ' ', identifier), count FROM ratelimit_window_counts")
        .stream()
        .collect(Collectors.toMap(row -> row.get(0), row -> Long.valueOf(row.get(1))));
  }

  @Test
  void pauseLosesNoCount() {
    try (Load load = start()) {
      fleet.awaitExchange();
      server.pause();
      load.runFor(Duration.ofSeconds(3));
      server.resume();
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  /** The database applies pushes that timed out when it resumes; they were sent again meanwhile. */
  @Test
  void pauseBeyondTheTimeoutLosesNoCount() {
    try (Load load = start()) {
      fleet.awaitExchange();
      server.pause();
      load.runFor(Duration.ofSeconds(13));
      server.resume();
      fleet.awaitExchange();
      assertThat(fleet.pushErrors.get()).isPositive();
      assertThat(fleet.pullErrors.get()).isPositive();
      checkNoCountWasLost(load);
    }
  }

  @Test
  void restartLosesNoCount() {
    try (Load load = start()) {
      for (int i = 0; i < 3; i++) {
        fleet.awaitExchange();
        server.kill();
        load.runFor(Duration.ofMillis(700));
        server.restart();
      }
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  @Test
  void unavailableDatabaseAtTheStartLosesNoCount() {
    server = MariaDbServer.start();
    server.kill();
    try (Load load = load(server.jdbcUrl())) {
      load.runFor(Duration.ofSeconds(2));
      server.restart();
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  /** After a switchover, the former primary still answers but rejects writes. */
  @Test
  void readOnlyDatabaseLosesNoCountAndIsPulled() {
    server = MariaDbServer.start();
    server.execute("CREATE USER tidegate");
    server.execute("GRANT ALL ON tidegate.* TO tidegate");
    try (Load load = load(server.jdbcUrl().replace("user=root", "user=tidegate"))) {
      fleet.awaitExchange();
      long pulls = fleet.pulls.get();
      server.execute("SET GLOBAL read_only = 1");
      Fleet.await("errors", () -> fleet.pushErrors.get() >= 4);
      Fleet.await("further pulls", () -> fleet.pulls.get() >= pulls + 4);
      server.execute("SET GLOBAL read_only = 0");
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  @Test
  void connectionsResetDuringStatementsLoseNoCount() {
    try (Load load = startBehindProxy()) {
      fleet.awaitExchange();
      for (int i = 0; i < 20; i++) {
        long before = proxy.bytesForwarded();
        Fleet.await("a statement under way", () -> proxy.bytesForwarded() > before);
        proxy.reset();
      }
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  @Test
  void droppedPacketsLoseNoCount() {
    try (Load load = startBehindProxy()) {
      fleet.awaitExchange();
      proxy.blackHole(true);
      load.runFor(Duration.ofSeconds(12));
      proxy.heal();
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  @Test
  void refusedConnectionsLoseNoCount() {
    try (Load load = startBehindProxy()) {
      fleet.awaitExchange();
      proxy.refuse(true);
      proxy.reset();
      load.runFor(Duration.ofSeconds(2));
      proxy.heal();
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  @Test
  void slowDatabaseLosesNoCount() {
    try (Load load = startBehindProxy()) {
      fleet.awaitExchange();
      proxy.latency(Duration.ofMillis(150));
      fleet.awaitExchange();
      load.runFor(Duration.ofSeconds(2));
      assertThat(fleet.pushErrors.get() + fleet.pullErrors.get()).isZero();
      checkNoCountWasLost(load);
    }
  }

  /** A foreign transaction locks rows for longer than the lock timeout. */
  @Test
  void rowsLockedByAnotherTransactionLoseNoCount() throws SQLException {
    try (Load load = start("--innodb-lock-wait-timeout=1")) {
      fleet.awaitExchange();
      try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute(UPDATE + " LIMIT 100");
        Fleet.await("errors", () -> fleet.pushErrors.get() >= 2);
        connection.rollback();
      }
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  /** A foreign transaction locks rows in another order, so that one of both is rolled back. */
  @Test
  void deadlocksWithAnotherTransactionLoseNoCount() throws SQLException {
    try (Load load = start("--innodb-lock-wait-timeout=5")) {
      fleet.awaitExchange();
      try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        long deadline = System.nanoTime() + Fleet.LONG.toNanos();
        while (deadlocks() < 3 && System.nanoTime() < deadline) {
          try {
            statement.execute(UPDATE + " ORDER BY pk DESC LIMIT 50");
            Fleet.await("a push to wait for the lock", this::isPushWaiting);
            statement.execute(UPDATE + " ORDER BY pk LIMIT 50"); // the push has locked these
            connection.rollback();
          } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(1213); // this transaction was rolled back
          }
        }
      }
      assertThat(deadlocks()).isGreaterThanOrEqualTo(3);
      fleet.awaitExchange();
      checkNoCountWasLost(load);
    }
  }

  private boolean isPushWaiting() {
    return !server
        .query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")
        .get(0)
        .get(1)
        .equals("0");
  }

  private long deadlocks() {
    return Fleet.deadlocks(server);
  }

  @Test
  void closingDoesNotWaitForAnUnavailableDatabase() {
    server = MariaDbServer.start();
    fleet = new Fleet(server.jdbcUrl());
    RateLimiter node = fleet.builder("eu").build();
    Fleet.take(node, "user", 10, 1);
    fleet.nodes.add(node);
    fleet.awaitExchange();
    Fleet.take(node, "user", 10, 1);
    server.pause();
    long before = System.nanoTime();
    node.close();
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isLessThan(
            Duration.ofSeconds(8)); // 2 s to push, 1 s to close; the rest allows for a busy machine
    server.resume();
  }

  @Test
  void closingPushesPendingCounts() {
    server = MariaDbServer.start();
    fleet = new Fleet(server.jdbcUrl());
    fleet.policy = PushPolicy.floor(1, Duration.ofHours(1));
    try (RateLimiter node = fleet.builder("eu").build()) {
      for (int i = 0; i < 3_000; i++) {
        Fleet.take(node, "user_" + i, 100, 1 + i % 3);
      }
    }
    assertThat(server
            .query("SELECT COUNT(*), SUM(count) FROM ratelimit_window_counts")
            .get(0))
        .containsExactly("3000", "6000");
  }
}
