package io.tidegate.catalog;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.h2.engine.SysProperties;
import org.jspecify.annotations.Nullable;

/**
 * A database in a file, which several processes of one machine may use at once: the one that opens
 * it first serves the others, and when it ends, another one opens it.
 */
final class H2File {

  private static final String PREFIX = "jdbc:h2:file:";

  /**
   * After a process was killed, the next one waits for two to four seconds until it believes that
   * the lock is nobody's.
   */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

  /** Three that Flyway and its turn take, and one. */
  private static final int MOST_CONNECTIONS = 4;

  private static final String BIND_ADDRESS = "h2.bindAddress";
  private static final String LOOPBACK = "127.0.0.1";

  private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

  /** What a URL need not say. */
  private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
      "AUTO_SERVER", "TRUE",
      // The same statements as for MySQL, whose names of tables are lower-case.
      "MODE", "MySQL",
      "DATABASE_TO_LOWER", "TRUE",
      "CASE_INSENSITIVE_IDENTIFIERS", "TRUE",
      // What was committed is in the file, and not half a second later: versions never go back.
      "WRITE_DELAY", "0",
      // Edits wait for each other.
      "LOCK_TIMEOUT", "5000",
      // What fails is thrown; H2 would write it into a file as well, with whatever was asked.
      "TRACE_LEVEL_FILE", "0",
      // A process that serves and is stopped keeps others waiting no longer.
      "NETWORK_TIMEOUT", "9000"));

  private H2File() {}

  /** Whether a URL means such a file. */
  static boolean isMeant(String jdbcUrl) {
    return jdbcUrl.startsWith(PREFIX);
  }

  static String url(Path directory) {
    String path = file(directory).toString();
    if (path.contains(";")) {
      throw new IllegalArgumentException("the directory must have no semicolon: " + directory);
    }
    return PREFIX + path;
  }

  /** In a directory of our own: the given one may be there already, and be open to others. */
  private static Path file(Path directory) {
    return directory.toAbsolutePath().normalize().resolve("catalog").resolve("catalog");
  }

  /** Whether there is a catalog in a directory. */
  static boolean isIn(Path directory) {
    return Files.exists(Path.of(file(directory) + ".mv.db"));
  }

  static HikariDataSource open(String jdbcUrl, @Nullable String user, @Nullable String password) {
    bindToLoopback();
    makeDirectory(path(jdbcUrl).getParent());
    H2Connections connections = new H2Connections(
        urlToConnect(jdbcUrl),
        urlToRead(jdbcUrl),
        user == null ? "sa" : user,
        password == null ? "" : password,
        path(jdbcUrl),
        CONNECT_TIMEOUT);
    HikariConfig config = new HikariConfig();
    config.setPoolName("tidegate-catalog");
    config.setDataSource(connections);
    config.setMaximumPoolSize(MOST_CONNECTIONS);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
    config.setMaxLifetime(0); // no network that forgets connections
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    return new HikariDataSource(config) {
      /** The last connection closes the file, which nobody should open meanwhile. */
      @Override
      public void close() {
        try {
          connections.inTurn(() -> {
            super.close();
            return null;
          });
        } catch (SQLException e) {
          super.close(); // others are in the way
        }
      }
    };
  }

  /** Whether a connection leads to H2. */
  static boolean isServing(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseProductName().equals("H2");
  }

  /**
   * Waits until no other connection has the turn, and has it until its transaction ends. H2 has no
   * locks but those of rows.
   */
  static void takeTurn(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE IF NOT EXISTS tidegate_turn (id int PRIMARY KEY)");
    statement.execute("MERGE INTO tidegate_turn (id) KEY (id) VALUES (1)");
  }

  /** H2 serves whoever can reach it, and reads the address once. */
  private static void bindToLoopback() {
    if (System.getProperty(BIND_ADDRESS) == null) {
      System.setProperty(BIND_ADDRESS, LOOPBACK);
    }
    if (DriverManager.drivers().noneMatch(H2File::accepts)) {
      throw new IllegalArgumentException(
          "a catalog in a file needs com.h2database:h2 on the class path");
    }
    if (SysProperties.BIND_ADDRESS == null) {
      throw new IllegalStateException("H2 was used before the catalog and would listen on every"
          + " address; start the JVM with -D" + BIND_ADDRESS + "=" + LOOPBACK);
    }
  }

  private static boolean accepts(Driver driver) {
    try {
      return driver.acceptsURL(PREFIX);
    } catch (SQLException e) {
      return false;
    }
  }

  /** The disk of a catalog. */
  static FullDisk disk(String jdbcUrl) {
    return new FullDisk(path(jdbcUrl).getParent());
  }

  /** Where the file is, without its ending. */
  private static Path path(String jdbcUrl) {
    String path = jdbcUrl.substring(PREFIX.length()).replaceFirst(";.*", "");
    return Path.of(
            path.startsWith("~/") ? System.getProperty("user.home") + path.substring(1) : path)
        .toAbsolutePath();
  }

  /**
   * For this user alone: whoever can read what H2 writes there can connect to it, and have it run
   * anything.
   */
  private static void makeDirectory(Path directory) {
    try {
      Files.createDirectories(directory.getParent());
      if (!Files.getFileStore(directory.getParent()).supportsFileAttributeView("posix")) {
        Files.createDirectories(directory);
        return;
      }
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWN));
      }
      if (!Files.getPosixFilePermissions(directory).equals(OWN)) {
        Files.setPosixFilePermissions(directory, OWN);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot make the directory of the catalog: " + e, e);
    }
  }

  /** A file that is read this way stays open when a thread that reads it is interrupted. */
  private static String urlToConnect(String jdbcUrl) {
    int end = jdbcUrl.indexOf(';');
    StringBuilder url = new StringBuilder("jdbc:h2:async:")
        .append(path(jdbcUrl))
        .append(end < 0 ? "" : jdbcUrl.substring(end));
    SETTINGS.forEach((name, value) -> {
      if (!jdbcUrl.toUpperCase(Locale.ROOT).contains(";" + name + "=")) {
        url.append(';').append(name).append('=').append(value);
      }
    });
    return url.toString();
  }

  /** Without a lock file, which has to be written, and so without serving others. */
  private static String urlToRead(String jdbcUrl) {
    return "jdbc:h2:async:" + path(jdbcUrl) + ";ACCESS_MODE_DATA=r;FILE_LOCK=NO;IFEXISTS=TRUE;"
        + String.join(
            ";",
            Stream.of(
                    "MODE", "DATABASE_TO_LOWER", "CASE_INSENSITIVE_IDENTIFIERS", "TRACE_LEVEL_FILE")
                .map(name -> name + "=" + SETTINGS.get(name))
                .toList());
  }
}
