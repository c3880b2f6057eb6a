package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testing.contract.GlobalCountersContract;
import io.tidegate.testkit.MariaDbServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract over a pool of the application, whose settings all differ from the required ones.
 */
class DataSourceTest extends GlobalCountersContract {

  private static MariaDbServer server;
  private HikariDataSource pool;
  private JdbcGlobalCounters counters;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    Fleet.createTables(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    server.execute("DELETE FROM ratelimit_window_counts");
    server.execute("DELETE FROM ratelimit_regions");
    pool = new HikariDataSource(config());
    counters = JdbcGlobalCounters.using(pool);
  }

  @AfterEach
  void close() {
    counters.close();
    pool.close();
  }

  private static HikariConfig config() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.jdbcUrl());
    config.setAutoCommit(false);
    config.setReadOnly(true);
    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    config.setConnectionInitSql("SET time_zone = '-07:00'");
    config.setMaximumPoolSize(2);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(2_000);
    return config;
  }

  @Override
  protected GlobalCounters counters() {
    return counters;
  }

  private static Component component(long count) {
    Series series = new Series(Fleet.SCOPE, "user");
    return new Component("eu", WindowCell.at(series, System.currentTimeMillis()), count);
  }

  private CompletableFuture<List<Component>> push(long count) {
    return counters.push(List.of(component(count))).toCompletableFuture();
  }

  @Test
  void poolStaysOpenWhenTheCountersAreClosed() throws SQLException {
    push(1).join();
    counters.close();
    assertThat(pool.isClosed()).isFalse();
    try (Connection connection = pool.getConnection()) {
      assertThat(connection.isValid(30)).isTrue();
    }
    assertThat(Fleet.row(server, "eu", "user")).isEqualTo(1); // it was committed
  }

  @Test
  void upgradeLeavesTheLockTimeoutOfAConnection() throws SQLException {
    server.execute("UPDATE tidegate_schema SET version = 2");
    HikariConfig config = config();
    config.setConnectionInitSql("SET lock_wait_timeout = 77");
    config.setMaximumPoolSize(1);
    try (HikariDataSource one = new HikariDataSource(config);
        JdbcGlobalCounters others = JdbcGlobalCounters.using(one)) {
      others.push(List.of(component(1))).toCompletableFuture().join();
      assertThat(server.query("SELECT version FROM tidegate_schema")).containsExactly(List.of("3"));
      try (Connection connection = one.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT @@lock_wait_timeout")) {
        row.next();
        assertThat(row.getLong(1)).isEqualTo(77);
      }
    }
  }

  /** Not every pool restores settings by itself. */
  @Test
  void connectionsAreReturnedWithTheirSettings() throws SQLException {
    List<String> borrowed = new CopyOnWriteArrayList<>();
    List<String> returned = new CopyOnWriteArrayList<>();
    HikariDataSource watched = new HikariDataSource(config()) {
      @Override
      public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        borrowed.add(state(connection));
        return watch(connection, returned);
      }
    };
    try (watched;
        JdbcGlobalCounters others = JdbcGlobalCounters.using(watched)) {
      others.push(List.of(component(1))).toCompletableFuture().join();
      others
          .pull("none", GlobalCounters.EVERYTHING, 0, all -> {})
          .toCompletableFuture()
          .join();
      others.announce("eu", "one").toCompletableFuture().join();
      server.execute("RENAME TABLE ratelimit_window_counts TO elsewhere");
      assertThatThrownBy(
              () -> others.push(List.of(component(2))).toCompletableFuture().join())
          .hasMessageContaining("ratelimit_window_counts");
    } finally {
      server.execute("RENAME TABLE elsewhere TO ratelimit_window_counts");
    }
    assertThat(returned).hasSize(5).isEqualTo(borrowed); // the first one checked the tables
    assertThat(borrowed).containsOnly("false true " + Connection.TRANSACTION_SERIALIZABLE + " 0");
  }

  private static String state(Connection connection) throws SQLException {
    return connection.getAutoCommit() + " " + connection.isReadOnly() + " "
        + connection.getTransactionIsolation() + " " + connection.getNetworkTimeout();
  }

  private static Connection watch(Connection connection, List<String> closing) {
    return (Connection) Proxy.newProxyInstance(
        DataSourceTest.class.getClassLoader(),
        new Class<?>[] {Connection.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            closing.add(state(connection));
          }
          try {
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void databaseIsUsedAgainAfterAnOutage() {
    push(1).join();
    server.kill();
    assertThatThrownBy(() -> push(2).join()).isInstanceOf(CompletionException.class);
    server.restart();
    Fleet.await("a push", () -> {
      try {
        push(3).join();
        return true;
      } catch (CompletionException e) {
        return false;
      }
    });
    assertThat(Fleet.row(server, "eu", "user")).isEqualTo(3);
  }

  /** The pool itself has no timeout: connection and thread would be blocked forever. */
  @Test
  void waitForAnAnswerIsBounded() throws Exception {
    push(1).join();
    try (Connection lock = pool.getConnection()) {
      lock.setReadOnly(false);
      lock.createStatement().execute("SELECT * FROM ratelimit_window_counts FOR UPDATE");
      CompletableFuture<Throwable> push = push(2).handle((rejected, failure) -> failure);
      assertThat(push.get(Fleet.LONG.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(SQLNonTransientConnectionException.class); // not a lock timeout
      lock.rollback();
    }
  }

  @Test
  void credentialsCannotBeSetWithADataSource() {
    assertThatThrownBy(() -> JdbcGlobalCounters.builder(pool).credentials("me", "secret"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a data source has credentials of its own");
  }
}
