package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OwnConnectionsTest {

  private static MariaDbServer server;
  private final OwnConnections connections =
      new OwnConnections(server.jdbcUrl(), null, null, Fleet.LONG);

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void close() {
    connections.close();
  }

  private static String value(Connection connection, String expression) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + expression)) {
      row.next();
      return row.getString(1);
    }
  }

  private String value(String expression) throws SQLException {
    return connections.use(connection -> value(connection, expression));
  }

  private static boolean isConnected(String id) {
    return !server
        .query("SELECT 1 FROM information_schema.processlist WHERE id = " + id)
        .isEmpty();
  }

  @Test
  void descriptionHasTheAddressAndNoCredentials() {
    assertThat(connections)
        .hasToString("the database at jdbc:mariadb://127.0.0.1:" + server.port());
    for (String url : List.of(
        "jdbc:mariadb://host/db?user=me&password=secret",
        "jdbc:mariadb://host1:3306,host2:3306/db?password=sec@ret",
        "jdbc:mariadb://me:secret@host/db",
        "jdbc:mariadb://me:sec/ret@host/db",
        "jdbc:mariadb://address=(host=db)(password=secret)/db",
        "jdbc:mariadb:loadbalance://host/db;password=secret")) {
      try (OwnConnections others = new OwnConnections(url, null, null, Fleet.LONG)) {
        assertThat(others.toString())
            .startsWith("the database at jdbc:mariadb:")
            .doesNotContain("sec", "ret", "me:");
      }
    }
  }

  @Test
  void connectionIsKeptForTheNextUse() throws SQLException {
    assertThat(value("CONNECTION_ID()")).isEqualTo(value("CONNECTION_ID()"));
    assertThat(value("@@sql_mode")).contains("STRICT_ALL_TABLES");
    assertThat(connections.use(Connection::getTransactionIsolation))
        .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
  }

  /** After a restart of the server, or in a network that drops idle connections. */
  @Test
  void connectionLostWhileIdleIsReplaced() throws SQLException {
    String lost = value("CONNECTION_ID()");
    server.execute("KILL " + lost);
    Fleet.await("its end", () -> !isConnected(lost));
    long before = System.nanoTime();
    Fleet.await("600 ms to pass", () -> System.nanoTime() - before > 600_000_000L);
    assertThat(value("CONNECTION_ID()")).isNotEqualTo(lost);
  }

  /** Its server may have become read-only. */
  @Test
  void connectionOfAFailedStatementIsClosed() throws SQLException {
    String failed = value("CONNECTION_ID()");
    assertThatThrownBy(() -> value("missing")).hasMessageContaining("missing");
    assertThat(value("CONNECTION_ID()")).isNotEqualTo(failed);
    Fleet.await("its end", () -> !isConnected(failed));
  }

  @Test
  void connectionIsKeptAfterARejectedValue() throws SQLException {
    String id = value("CONNECTION_ID()");
    server.execute("CREATE TABLE IF NOT EXISTS narrow (name varchar(3))");
    assertThatThrownBy(() -> connections.use(connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("INSERT INTO narrow VALUES ('wide')");
          }
        }))
        .isInstanceOf(SQLException.class);
    assertThat(value("CONNECTION_ID()")).isEqualTo(id);
  }

  @Test
  void connectionInUseIsClosedWhenItsWorkEnds() throws Exception {
    String idle = value("CONNECTION_ID()");
    CompletableFuture<String> used = new CompletableFuture<>();
    CountDownLatch closed = new CountDownLatch(1);
    CompletableFuture<String> work = CompletableFuture.supplyAsync(() -> {
      try {
        return connections.use(connection -> {
          used.complete(value(connection, "CONNECTION_ID()"));
          await(closed);
          return value(connection, "'done'");
        });
      } catch (SQLException e) {
        return e.toString();
      }
    });
    assertThat(used.get()).isEqualTo(idle);
    connections.close();
    assertThatThrownBy(() -> value("1")).isInstanceOf(SQLException.class).hasMessage("closed");
    closed.countDown();
    assertThat(work.get()).isEqualTo("done");
    Fleet.await("its end", () -> !isConnected(idle));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
