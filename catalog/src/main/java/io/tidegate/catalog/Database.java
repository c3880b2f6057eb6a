package io.tidegate.catalog;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Connections to a catalog in MySQL or MariaDB. */
final class Database {

  /** How long a database that is not there keeps a call waiting. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Three that a migration takes, and one. */
  private static final int MOST_CONNECTIONS = 4;

  /**
   * Whatever the server's defaults: a value that does not fit is an error and not cut off, and the
   * time has no hour twice.
   */
  private static final String SESSION = "SET time_zone = '+00:00',"
      + " sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'STRICT_ALL_TABLES')";

  private Database() {}

  /**
   * A pool of connections. Returns also if the database is not there.
   *
   * @param answerTimeout how long a statement may keep silent
   * @throws IllegalArgumentException if no driver takes the URL
   */
  static HikariDataSource open(
      String jdbcUrl, @Nullable String user, @Nullable String password, Duration answerTimeout) {
    check(jdbcUrl);
    HikariConfig config = new HikariConfig();
    config.setPoolName("tidegate");
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(MOST_CONNECTIONS);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
    config.setConnectionInitSql(SESSION);
    // Edits lock the row of the version first, so the gaps between other rows need no locks.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    bound(config, "connectTimeout", CONNECT_TIMEOUT);
    bound(config, "socketTimeout", answerTimeout);
    return new HikariDataSource(config);
  }

  /** The drivers of MariaDB and MySQL know the same names. */
  private static void bound(HikariConfig config, String property, Duration timeout) {
    if (!config.getJdbcUrl().contains(property + "=")) {
      config.addDataSourceProperty(property, Long.toString(timeout.toMillis()));
    }
  }

  /**
   * Ends the pool, which waits for the driver, and the driver for a database that may not answer.
   */
  static void close(HikariDataSource database, Duration longest) {
    Thread closer = new Thread(database::close, "tidegate-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(longest.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void check(String jdbcUrl) {
    Objects.requireNonNull(jdbcUrl, "jdbcUrl must not be null");
    if (jdbcUrl.startsWith("jdbc:h2:")) {
      throw new IllegalArgumentException(
          "H2 takes a catalog, as jdbc:h2:file:path, and nothing else: " + name(jdbcUrl));
    }
    try {
      DriverManager.getDriver(jdbcUrl);
    } catch (SQLException e) {
      throw new IllegalArgumentException(
          "no JDBC driver takes this URL; for MySQL and MariaDB it is jdbc:mariadb://host:3306/database, unless you bring another driver: "
              + name(jdbcUrl));
    }
  }

  /** What a log may show of a URL: users and passwords may be anywhere in it. */
  static String name(String jdbcUrl) {
    int end = jdbcUrl.indexOf("//");
    return (end < 0 ? jdbcUrl.replaceFirst("[^a-z0-9:].*", "") : jdbcUrl.substring(0, end + 2))
        + "...";
  }
}
