package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Connections that belong to the counters: opened when needed, kept for the next use, and as many
 * as threads use at once, which is four at most. That is too few to be worth the dependencies of a
 * connection pool in every application that embeds the counters.
 */
final class OwnConnections implements Connections {

  /** How long a database that is not there keeps a call waiting. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A connection idle for longer is checked before it is used: it may have been lost meanwhile. */
  private static final long CHECK_AFTER_NANOS = Duration.ofMillis(500).toNanos();

  private static final int CHECK_SECONDS = 2;

  /** Below the 60 s to 350 s after which load balancers drop idle connections silently. */
  private static final long LONGEST_IDLE_NANOS = Duration.ofSeconds(50).toNanos();

  /**
   * Connections are replaced now and then: the name of the database may lead to another server by
   * now, while the former one still answers reads.
   */
  private static final long LONGEST_LIFE_NANOS = Duration.ofMinutes(30).toNanos();

  /** How long to wait for connections to close: the database may not answer. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  /** Overrides the server's defaults: a value that does not fit is an error and is not cut off. */
  private static final String SESSION =
      "SET sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'STRICT_ALL_TABLES')";

  private record Open(Connection connection, long openedNanos, long usedNanos) {

    boolean isOld(long nowNanos) {
      return nowNanos - openedNanos > LONGEST_LIFE_NANOS
          || nowNanos - usedNanos > LONGEST_IDLE_NANOS;
    }
  }

  private final String jdbcUrl;
  private final Driver driver;
  private final Properties properties = new Properties();

  /** The connections not in use, the one used last first. Guarded by this. */
  private final Deque<Open> idle = new ArrayDeque<>();

  private boolean closed;

  /**
   * Connections to one database, which need not be there yet.
   *
   * @param answerTimeout how long a statement may take to be answered
   * @throws IllegalArgumentException if no driver accepts the URL
   */
  OwnConnections(
      String jdbcUrl, @Nullable String user, @Nullable String password, Duration answerTimeout) {
    this.jdbcUrl = jdbcUrl;
    this.driver = driver(jdbcUrl);
    set("user", user);
    set("password", password);
    // The drivers of MariaDB and MySQL have the same names for these.
    setUnlessInUrl("connectTimeout", CONNECT_TIMEOUT);
    setUnlessInUrl("socketTimeout", answerTimeout);
  }

  private static Driver driver(String jdbcUrl) {
    Objects.requireNonNull(jdbcUrl, "jdbcUrl must not be null");
    try {
      if (!jdbcUrl.startsWith("jdbc:h2:")) {
        return DriverManager.getDriver(jdbcUrl);
      }
    } catch (SQLException e) {
      throw new IllegalArgumentException(
          "no JDBC driver takes this URL; for MySQL and MariaDB it is jdbc:mariadb://host:3306/database, unless you bring another driver: "
              + name(jdbcUrl));
    }
    throw new IllegalArgumentException(
        "H2 takes a catalog, as jdbc:h2:file:path, and nothing else: " + name(jdbcUrl));
  }

  private void set(String property, @Nullable String value) {
    if (value != null) {
      properties.setProperty(property, value);
    }
  }

  private void setUnlessInUrl(String property, Duration timeout) {
    if (!jdbcUrl.contains(property + "=")) {
      set(property, Long.toString(timeout.toMillis()));
    }
  }

  /** What a log may show of a URL: users and passwords may be anywhere in it. */
  static String name(String jdbcUrl) {
    int end = jdbcUrl.indexOf("//");
    return (end < 0 ? jdbcUrl.replaceFirst("[^a-z0-9:].*", "") : jdbcUrl.substring(0, end + 2))
        + "...";
  }

  /**
   * A connection on which a statement failed is not used again: it may lead to a server that has
   * become read-only, while the name of the database leads to another by now.
   */
  @Override
  public <T> T use(Work<T> work) throws SQLException {
    Open open = take();
    boolean usable = false;
    try {
      T result = work.with(open.connection);
      usable = true;
      return result;
    } catch (SQLException e) {
      usable = SqlFailures.isAboutValues(e);
      throw e;
    } finally {
      if (usable) {
        keep(open);
      } else {
        end(open.connection);
      }
    }
  }

  private Open take() throws SQLException {
    Open last = takeIdle();
    if (last == null) {
      return open();
    }
    long nowNanos = System.nanoTime();
    if (!last.isOld(nowNanos)
        && (nowNanos - last.usedNanos < CHECK_AFTER_NANOS
            || last.connection.isValid(CHECK_SECONDS))) {
      return last;
    }
    end(last.connection);
    takeAllIdle().forEach(open -> end(open.connection)); // they are older still
    return open();
  }

  private synchronized @Nullable Open takeIdle() throws SQLException {
    if (closed) {
      throw new SQLNonTransientConnectionException("closed");
    }
    return idle.pollFirst();
  }

  private synchronized List<Open> takeAllIdle() {
    List<Open> all = List.copyOf(idle);
    idle.clear();
    return all;
  }

  private Open open() throws SQLException {
    Connection connection = driver.connect(jdbcUrl, properties);
    if (connection == null) {
      throw new SQLNonTransientConnectionException("the driver does not take " + name(jdbcUrl));
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(SESSION);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    } catch (SQLException | RuntimeException e) {
      end(connection);
      throw e;
    }
    long nowNanos = System.nanoTime();
    return new Open(connection, nowNanos, nowNanos);
  }

  /** Keeps a connection for the next use, and ends those that have not been used for long. */
  private void keep(Open used) {
    List<Open> ending = new ArrayList<>();
    synchronized (this) {
      long nowNanos = System.nanoTime();
      if (closed) {
        ending.add(used);
      } else {
        idle.addFirst(new Open(used.connection, used.openedNanos, nowNanos));
        while (!idle.isEmpty() && idle.getLast().isOld(nowNanos)) {
          ending.add(idle.removeLast());
        }
      }
    }
    ending.forEach(open -> end(open.connection));
  }

  private static void end(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // it is of no use in any case, and what made it so has been thrown already
    }
  }

  /** Ends the connections not in use; one in use ends with its work. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    List<Open> ending = takeAllIdle();
    Thread closer =
        new Thread(() -> ending.forEach(open -> end(open.connection)), "tidegate-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
