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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connections that the counters own: opened when needed and kept for the next use. There are as
 * many as threads that use one at the same time, at most five. A connection pool would be one more
 * dependency of every application that embeds the counters.
 */
final class OwnConnections implements Connections {

  /** Bounds the wait for a database that is unavailable. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A connection idle for longer is checked before use, since it may have been lost. */
  private static final long CHECK_AFTER_NANOS = Duration.ofMillis(500).toNanos();

  private static final int CHECK_SECONDS = 2;

  /** Below the 60 s to 350 s after which load balancers drop idle connections silently. */
  private static final long MAX_IDLE_NANOS = Duration.ofSeconds(50).toNanos();

  /**
   * Connections are replaced after this time: after a failover, the name of the database leads to
   * another server while the former one may still answer reads.
   */
  private static final long MAX_AGE_NANOS = Duration.ofMinutes(30).toNanos();

  /** Bounds the wait for connections to close, since the database may not answer. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  /** Makes the database reject a value that does not fit, instead of truncating it. */
  private static final String SESSION =
      "SET sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'STRICT_ALL_TABLES')";

  private record Open(Connection connection, long openedNanos, long usedNanos) {

    boolean isOld(long nowNanos) {
      return nowNanos - openedNanos > MAX_AGE_NANOS || nowNanos - usedNanos > MAX_IDLE_NANOS;
    }
  }

  private final String jdbcUrl;
  private final Driver driver;
  private final Properties properties = new Properties();

  /** Connections not in use, the most recently used first. Guarded by this. */
  private final Deque<Open> idle = new ArrayDeque<>();

  private boolean closed;

  /**
   * Connections to one database, which may be unavailable.
   *
   * @param answerTimeout how long a statement may take
   * @throws IllegalArgumentException if no driver accepts the URL
   */
  OwnConnections(
      String jdbcUrl, @Nullable String user, @Nullable String password, Duration answerTimeout) {
    this.jdbcUrl = jdbcUrl;
    this.driver = driver(jdbcUrl);
    set("user", user);
    set("password", password);
    // Both the MariaDB and the MySQL driver use these names.
    setUnlessInUrl("connectTimeout", CONNECT_TIMEOUT);
    setUnlessInUrl("socketTimeout", answerTimeout);
  }

  private static Driver driver(String jdbcUrl) {
    Objects.requireNonNull(jdbcUrl, "jdbcUrl must not be null");
    try {
      if (!jdbcUrl.startsWith("jdbc:sqlite:")) {
        return DriverManager.getDriver(jdbcUrl);
      }
    } catch (SQLException e) {
      throw new IllegalArgumentException(
          "no JDBC driver accepts this URL; use jdbc:mariadb://host:3306/database for MySQL and MariaDB, or add another driver: "
              + name(jdbcUrl));
    }
    throw new IllegalArgumentException(
        "global counters need MySQL or MariaDB, not a file: " + name(jdbcUrl));
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

  /**
   * The beginning of a URL up to the host, which cannot contain a password if there is no {@code @}
   * in the whole.
   */
  private static final Pattern ADDRESS =
      Pattern.compile("(jdbc:[a-z0-9:]+//[A-Za-z0-9._,:\\[\\]-]+)([/?;][^@]*)?");

  /** Describes the database by the address in its URL, or by the driver if that may be secret. */
  @Override
  public String toString() {
    Matcher matcher = ADDRESS.matcher(jdbcUrl);
    return "the database at " + (matcher.matches() ? matcher.group(1) : name(jdbcUrl));
  }

  /** Returns the part of a URL that is safe to log: the rest may contain user and password. */
  static String name(String jdbcUrl) {
    int end = jdbcUrl.indexOf("//");
    return (end < 0 ? jdbcUrl.replaceFirst("[^a-z0-9:].*", "") : jdbcUrl.substring(0, end + 2))
        + "...";
  }

  /**
   * {@inheritDoc} A connection on which a statement failed is closed: after a failover it may lead
   * to a server that is read-only now.
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
        closeQuietly(open.connection);
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
    closeQuietly(last.connection);
    takeAllIdle()
        .forEach(open -> closeQuietly(open.connection)); // the others have been idle for longer
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
      throw new SQLNonTransientConnectionException("the driver does not accept " + name(jdbcUrl));
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(SESSION);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    } catch (SQLException | RuntimeException e) {
      closeQuietly(connection);
      throw e;
    }
    long nowNanos = System.nanoTime();
    return new Open(connection, nowNanos, nowNanos);
  }

  /** Keeps a connection for the next use, and closes those that were idle for too long. */
  private void keep(Open used) {
    List<Open> closing = new ArrayList<>();
    synchronized (this) {
      long nowNanos = System.nanoTime();
      if (closed) {
        closing.add(used);
      } else {
        idle.addFirst(new Open(used.connection, used.openedNanos, nowNanos));
        while (!idle.isEmpty() && idle.getLast().isOld(nowNanos)) {
          closing.add(idle.removeLast());
        }
      }
    }
    closing.forEach(open -> closeQuietly(open.connection));
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // the connection is not used again, and the failure that led here was thrown already
    }
  }

  /** Closes connections that are not in use; others are closed when their work ends. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    List<Open> closing = takeAllIdle();
    Thread closer =
        new Thread(() -> closing.forEach(open -> closeQuietly(open.connection)), "tidegate-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
