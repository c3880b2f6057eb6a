package io.tidegate.catalog;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;

/** A database of MySQL or MariaDB. All nodes may share it. */
final class MySqlStorage implements Storage {

  /** Bound for connecting to a database that is down. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Bound for one answer. Edits of other nodes take milliseconds, so a database that needs longer
   * counts as unavailable.
   */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(9);

  /** Less than {@link #ANSWER_TIMEOUT}, so that the wait ends with an answer. */
  private static final int LOCK_SECONDS = 4;

  /** A migration takes three connections, and one is left for a read. */
  private static final int MAX_CONNECTIONS = 4;

  /**
   * Settings that must not depend on the server's defaults: a value that is too long is an error
   * and not truncated, and timestamps are in UTC.
   */
  private static final String SESSION = "SET time_zone = '+00:00',"
      + " sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'STRICT_ALL_TABLES')";

  /** A table of its own, because an application may use Flyway in the same database. */
  private static final String HISTORY_TABLE = "tidegate_catalog_history";

  private final HikariDataSource connections;

  /**
   * Opens a pool of connections. Succeeds also if the database is down.
   *
   * @throws IllegalArgumentException if no driver accepts the URL
   */
  MySqlStorage(String jdbcUrl, @Nullable String user, @Nullable String password) {
    check(jdbcUrl);
    HikariConfig config = new HikariConfig();
    config.setPoolName("tidegate");
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
    config.setConnectionInitSql(SESSION);
    // Edits lock the row of the version first, so the gaps between other rows need no locks.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    setTimeout(config, "connectTimeout", CONNECT_TIMEOUT);
    setTimeout(config, "socketTimeout", ANSWER_TIMEOUT);
    this.connections = new HikariDataSource(config);
  }

  private static void check(String jdbcUrl) {
    try {
      DriverManager.getDriver(jdbcUrl);
    } catch (SQLException e) {
      throw new IllegalArgumentException("no JDBC driver accepts this URL; use"
          + " jdbc:mariadb://host:3306/database for MySQL and MariaDB, or add another driver to the"
          + " class path: "
          + withoutSecrets(jdbcUrl));
    }
  }

  /** The part of a URL before any place where a user or a password may be. */
  private static String withoutSecrets(String jdbcUrl) {
    int end = jdbcUrl.indexOf("//");
    return (end < 0 ? jdbcUrl.replaceFirst("[^a-z0-9:].*", "") : jdbcUrl.substring(0, end + 2))
        + "...";
  }

  /** Sets a timeout unless the URL sets it. The drivers of MariaDB and MySQL share the names. */
  private static void setTimeout(HikariConfig config, String property, Duration timeout) {
    if (!config.getJdbcUrl().contains(property + "=")) {
      config.addDataSourceProperty(property, Long.toString(timeout.toMillis()));
    }
  }

  @Override
  public HikariDataSource connections() {
    return connections;
  }

  /** Takes a lock of its own: Flyway's lock comes too late for nodes that start together. */
  @Override
  public boolean migrate() throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      if (isCurrent(statement)) {
        return false;
      }
      if (!isPositive(statement, "SELECT GET_LOCK('tidegate_schema', " + LOCK_SECONDS + ")")) {
        throw new SQLTransientException("another node is still creating the tables of the catalog");
      }
      try {
        if (isCurrent(statement)) {
          return false; // another node has created them
        }
        runFlyway();
        return true;
      } finally {
        isPositive(statement, "SELECT RELEASE_LOCK('tidegate_schema')");
      }
    }
  }

  /** One query instead of Flyway's dozens: the database may be on another continent. */
  private static boolean isCurrent(Statement statement) throws SQLException {
    try {
      return isPositive(
          statement,
          "SELECT COUNT(*) FROM " + HISTORY_TABLE + " WHERE version = '" + CatalogSchema.VERSION
              + "' AND success = 1");
    } catch (SQLException e) {
      if (CatalogSchema.isAboutTables(e)) {
        return false; // not created yet
      }
      throw e;
    }
  }

  private static boolean isPositive(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() && row.getInt(1) > 0;
    }
  }

  private void runFlyway() {
    try {
      Flyway flyway = Flyway.configure(MySqlStorage.class.getClassLoader())
          .dataSource(connections)
          .locations("classpath:" + CatalogSchema.MIGRATIONS)
          .table(HISTORY_TABLE)
          .baselineOnMigrate(true) // the database may contain other tables
          .baselineVersion("0")
          .load();
      flyway.repair(); // removes an interrupted migration, which can be repeated
      flyway.migrate();
    } catch (FlywayException e) {
      // Without a cause, which a log would show instead of this message.
      throw new IllegalStateException(
          "cannot create or upgrade the tables of the catalog; grant the"
              + " user CREATE, ALTER and INDEX beside SELECT, INSERT, UPDATE and DELETE, or run the"
              + " scripts in " + CatalogSchema.MIGRATIONS + " of tidegate-catalog.jar and set"
              + " migrate(false): " + e.getMessage());
    }
  }
}
