package io.tidegate.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mariadbd on loopback with an empty database {@code tidegate} and a user {@code root} without a
 * password. Commits survive {@link #kill} unless its arguments say otherwise.
 */
public final class MariaDbServer extends RealServer {

  /** Much more than a statement of a test takes. */
  private static final String TIMEOUTS = "&connectTimeout=30000&socketTimeout=30000";

  private final MariaDbInstallation installation = MariaDbInstallation.find();
  private final Path data = directory.resolve("data");
  private final Path temporary = directory.resolve("tmp");
  private final Path pidFile = directory.resolve("pid");

  private MariaDbServer(int port, String... arguments) {
    super("mariadbd", port, arguments);
  }

  /**
   * Starts a server on a free port and returns when it answers.
   *
   * @param arguments arguments of mariadbd, such as {@code "--max-connections=5"}
   * @throws IllegalStateException with the output of MariaDB if it does not start
   */
  public static MariaDbServer start(String... arguments) {
    return startOnFreePort(port -> new MariaDbServer(port, arguments));
  }

  /**
   * A directory with the programs {@code mariadb} and {@code mariadb-dump}; empty on platforms
   * other than Linux on x86_64.
   */
  public static Optional<Path> clients() {
    return MariaDbInstallation.clients();
  }

  /** The URL of the database {@code tidegate} for root. */
  public String jdbcUrl() {
    return "jdbc:mariadb://127.0.0.1:" + port() + "/tidegate?user=root";
  }

  /**
   * Executes a statement as root on a new connection.
   *
   * @throws IllegalStateException if it fails or takes longer than 30 seconds
   */
  public void execute(String sql) {
    query(sql);
  }

  /** Returns the rows of a query, with values as text. Otherwise like {@link #execute}. */
  public List<List<@Nullable String>> query(String sql) {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      ResultSet result = statement.getResultSet();
      List<List<@Nullable String>> rows = new ArrayList<>();
      while (result != null && result.next()) {
        List<@Nullable String> row = new ArrayList<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
          row.add(result.getString(column));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(this + " failed at " + sql + ": " + e.getMessage(), e);
    }
  }

  @Override
  void prepare() throws IOException {
    installation.copyData(data);
    Files.createDirectory(temporary);
  }

  /** The last of equal arguments wins: callers override the defaults, but not the port. */
  @Override
  List<String> commandLine() {
    List<String> command = installation.command();
    command.addAll(List.of(
        "--innodb-buffer-pool-size=32M", MariaDbInstallation.LOG_FILE_SIZE, "--skip-name-resolve"));
    command.addAll(arguments);
    command.addAll(List.of("--bind-address=127.0.0.1", "--port=" + port(), "--datadir=" + data));
    command.add("--tmpdir=" + temporary); // a server that starts deletes what it finds there
    command.add("--pid-file=" + pidFile);
    command.add("--socket=socket"); // relative: the path of the directory may be too long
    return command;
  }

  /** The server writes its process id after it has bound the port. */
  @Override
  boolean answersAs(long pid) {
    try {
      if (!Files.readString(pidFile).strip().equals(Long.toString(pid))) {
        return false;
      }
      connect("&createDatabaseIfNotExist=true").close();
      return true;
    } catch (IOException | SQLException e) {
      return false;
    }
  }

  private Connection connect(String options) throws SQLException {
    return DriverManager.getConnection(jdbcUrl() + TIMEOUTS + options);
  }
}
