package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever happens to the database: no decision waits for it, and no count is lost. */
class DatabaseFailureTest {

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
    fleet.policy = PushPolicy.floor(0, Fleet.INTERVAL); // which leaves nothing untold
    return new Load(fleet);
  }

  @Test
  void paused() {
    try (Load load = start()) {
      load.awaitExchange();
      server.pause();
      load.goOnFor(Duration.ofSeconds(3));
      server.resume();
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  /** Pushes that were given up are done when it wakes, and were sent again meanwhile. */
  @Test
  void pausedForLongerThanAnybodyWaits() {
    try (Load load = start()) {
      load.awaitExchange();
      server.pause();
      load.goOnFor(Duration.ofSeconds(13));
      server.resume();
      load.awaitExchange();
      assertThat(fleet.pushErrors.get()).isPositive();
      assertThat(fleet.pullErrors.get()).isPositive();
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void killedAndRestarted() {
    try (Load load = start()) {
      for (int i = 0; i < 3; i++) {
        load.awaitExchange();
        server.kill();
        load.goOnFor(Duration.ofMillis(700));
        server.restart();
      }
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void notThereAtFirst() {
    server = MariaDbServer.start();
    server.kill();
    try (Load load = load(server.jdbcUrl())) {
      load.goOnFor(Duration.ofSeconds(2));
      server.restart();
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  /** As one that was demoted: it answers, and refuses to write. */
  @Test
  void readOnly() {
    server = MariaDbServer.start();
    server.execute("CREATE USER tidegate");
    server.execute("GRANT ALL ON tidegate.* TO tidegate");
    try (Load load = load(server.jdbcUrl().replace("user=root", "user=tidegate"))) {
      load.awaitExchange();
      long pulls = fleet.pulls.get();
      server.execute("SET GLOBAL read_only = 1");
      Fleet.await("errors", () -> fleet.pushErrors.get() >= 4);
      Fleet.await("pulls to go on", () -> fleet.pulls.get() >= pulls + 4);
      server.execute("SET GLOBAL read_only = 0");
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void connectionsAreResetInTheMiddleOfStatements() {
    try (Load load = startBehindProxy()) {
      load.awaitExchange();
      for (int i = 0; i < 20; i++) {
        long before = proxy.bytesForwarded();
        Fleet.await("a statement under way", () -> proxy.bytesForwarded() > before);
        proxy.reset();
      }
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void everythingIsSwallowed() {
    try (Load load = startBehindProxy()) {
      load.awaitExchange();
      proxy.blackHole(true);
      load.goOnFor(Duration.ofSeconds(12));
      proxy.heal();
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void refusesConnections() {
    try (Load load = startBehindProxy()) {
      load.awaitExchange();
      proxy.refuse(true);
      proxy.reset();
      load.goOnFor(Duration.ofSeconds(2));
      proxy.heal();
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  @Test
  void slow() {
    try (Load load = startBehindProxy()) {
      load.awaitExchange();
      proxy.latency(Duration.ofMillis(150));
      load.awaitExchange();
      load.goOnFor(Duration.ofSeconds(2));
      assertThat(fleet.pushErrors.get() + fleet.pullErrors.get()).isZero();
      load.checkNothingWasLost(server);
    }
  }

  /** A transaction of somebody else holds rows for longer than the database lets us wait. */
  @Test
  void rowsAreLocked() throws SQLException {
    try (Load load = start("--innodb-lock-wait-timeout=1")) {
      load.awaitExchange();
      try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute(UPDATE + " LIMIT 100");
        Fleet.await("errors", () -> fleet.pushErrors.get() >= 2);
        connection.rollback();
      }
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  /** Somebody else locks rows in an order of his own, so that one of both has to give way. */
  @Test
  void deadlocksWithSomebodyElse() throws SQLException {
    try (Load load = start("--innodb-lock-wait-timeout=5")) {
      load.awaitExchange();
      try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        long deadline = System.nanoTime() + Fleet.LONG.toNanos();
        while (deadlocks() < 3 && System.nanoTime() < deadline) {
          try {
            statement.execute(UPDATE + " ORDER BY pk DESC LIMIT 50");
            Fleet.await("a push to wait for that", this::somebodyWaits);
            statement.execute(UPDATE + " ORDER BY pk LIMIT 50"); // which it has locked by then
            connection.rollback();
          } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(1213); // it was us who gave way
          }
        }
      }
      assertThat(deadlocks()).isGreaterThanOrEqualTo(3);
      load.awaitExchange();
      load.checkNothingWasLost(server);
    }
  }

  private boolean somebodyWaits() {
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
  void closingDoesNotWaitForADatabaseThatIsGone() {
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
        .isLessThan(Duration.ofSeconds(8)); // 2 to push, 1 to close, and a busy machine
    server.resume();
  }

  @Test
  void closingPushesWhatIsLeft() {
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
