package io.tidegate.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real mariadbd on loopback that can be paused, killed and started again, with an empty database
 * {@code tidegate} and a user {@code root} who needs no password.
 *
 * <p>What it has committed survives {@link #kill}, unless its arguments say otherwise. Character
 * set and collation are those that MariaDB has by default.
 */
public final class MariaDbServer extends RealServer {

  /** Much more than any statement of a test takes, and less than a build should hang. */
  private static final Duration STATEMENT_BOUND = Duration.ofSeconds(30);

  private MariaDbServer(int port, String... arguments) {
    super("mariadbd", port, arguments);
  }

  /**
   * Starts a server on a free port and returns when it answers.
   *
   * @param arguments as mariadbd takes them, for example {@code "--max-connections=5"}
   * @throws IllegalStateException with the output of MariaDB if it does not start
   */
  public static MariaDbServer start(String... arguments) {
    return startOnFreePort(port -> new MariaDbServer(port, arguments));
  }

  /** The database {@code tidegate} as root. */
  public String jdbcUrl() {
    return "jdbc:mariadb://127.0.0.1:" + port() + "/tidegate?user=root";
  }

  /**
   * Has the server do something, as root and on a connection of its own that is closed afterwards.
   *
   * @throws IllegalStateException if it fails or takes longer than 30 seconds, caused by the
   *     exception of the driver
   */
  public void execute(String sql) {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failure(sql, e);
    }
  }

  /**
   * Asks the server something, otherwise like {@link #execute}.
   *
   * @return the rows, with their values as text
   */
  public List<List<@Nullable String>> query(String sql) {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<@Nullable String>> rows = new ArrayList<>();
      while (result.next()) {
        rows.add(row(result));
      }
      return rows;
    } catch (SQLException e) {
      throw failure(sql, e);
    }
  }

  @Override
  void prepare() {
    new MariaDbData(MariaDbBinary.find()).copyTo(data());
  }

  /**
   * The last of equal arguments counts: callers override the defaults, but not where to find the
   * server.
   */
  @Override
  List<String> commandLine() {
    List<String> command = new ArrayList<>(MariaDbBinary.find().command());
    command.addAll(
        List.of("--innodb-buffer-pool-size=32M", MariaDbData.LOG_FILE_SIZE, "--skip-name-resolve"));
    command.addAll(arguments());
    command.addAll(List.of(
        "--bind-address=127.0.0.1",
        "--port=" + port(),
        "--datadir=" + data(),
        "--pid-file=" + pidFile(),
        "--socket=socket")); // in the data directory, whose whole path may be too long for a socket
    return command;
  }

  /** It writes its process id when the port is its own. */
  @Override
  boolean answersAs(long pid) {
    try {
      if (!Files.exists(pidFile())
          || !Files.readString(pidFile()).strip().equals(Long.toString(pid))) {
        return false;
      }
      connect("&createDatabaseIfNotExist=true").close();
      return true;
    } catch (IOException | SQLException e) {
      return false;
    }
  }

  private Connection connect(String options) throws SQLException {
    long millis = STATEMENT_BOUND.toMillis();
    return DriverManager.getConnection(
        jdbcUrl() + "&connectTimeout=" + millis + "&socketTimeout=" + millis + options);
  }

  private Path data() {
    return directory().resolve("data");
  }

  private Path pidFile() {
    return directory().resolve("pid");
  }

  private static List<@Nullable String> row(ResultSet result) throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
      values.add(result.getString(column));
    }
    return values;
  }

  private IllegalStateException failure(String sql, SQLException cause) {
    return new IllegalStateException(this + " failed at " + sql + ": " + cause.getMessage(), cause);
  }
}
