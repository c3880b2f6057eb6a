package io.tidegate.catalog;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteJDBCLoader;

/**
 * A SQLite file. All processes of one machine may open it at once: SQLite locks the file while it
 * writes, and the operating system releases the lock of a process that dies.
 *
 * <p>The file uses SQLite's rollback journal and not its write-ahead log, so that a node can open
 * and read it on a full disk: opening a write-ahead log has to create files.
 */
final class FileStorage implements Storage {

  static final String URL_PREFIX = "jdbc:sqlite:";

  private static final String FILE = "catalog.db";

  /** File of the versions before SQLite, which used H2. */
  private static final String H2_FILE = "catalog.mv.db";

  /** Edits of other processes take milliseconds; this bound is for a busy machine. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

  /** A pool waits longer than a connection waits for its lock. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(8);

  /**
   * The threads of a process queue for one connection. SQLite has no queue: with several
   * connections under constant edits, one of them could wait for its lock until the timeout.
   */
  private static final int MAX_CONNECTIONS = 1;

  /** Scripts in order of their versions; {@code PRAGMA user_version} holds the last one applied. */
  private static final List<String> MIGRATIONS = List.of("file/V1__catalog.sql");

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final Path directory;
  private final HikariDataSource connections;

  /**
   * Opens a file and creates its directory if necessary.
   *
   * @throws IllegalArgumentException if the directory cannot be created, if it contains the catalog
   *     of an older version, or if SQLite cannot be loaded
   */
  FileStorage(String jdbcUrl) {
    Path file = Path.of(jdbcUrl.substring(URL_PREFIX.length())).toAbsolutePath();
    this.directory = Objects.requireNonNull(file.getParent(), "the URL must name a file");
    checkOlderVersion(file);
    loadNativeLibrary();
    createDirectory(directory);
    this.connections = connect(URL_PREFIX + file);
  }

  static String url(Path directory) {
    String path = file(directory).toString();
    if (path.contains("?")) { // the driver would parse the rest as options
      throw new IllegalArgumentException("the directory must not contain a question mark: " + path);
    }
    return URL_PREFIX + path;
  }

  static boolean isIn(Path directory) {
    Path file = file(directory);
    return Files.exists(file) || Files.exists(file.resolveSibling(H2_FILE));
  }

  /** In a subdirectory, because the given directory may exist and be readable by other users. */
  private static Path file(Path directory) {
    return directory.toAbsolutePath().normalize().resolve("catalog").resolve(FILE);
  }

  private static void checkOlderVersion(Path file) {
    Path older = file.resolveSibling(H2_FILE);
    if (Files.exists(older) && !Files.exists(file)) {
      throw new IllegalArgumentException("cannot read " + older
          + ", the catalog of an older version of Tidegate; move it away to start with an empty"
          + " catalog, then create its workspaces, keys, namespaces and overrides again");
    }
  }

  /** Loads SQLite now: a connection pool would retry for seconds and hide the reason. */
  private static void loadNativeLibrary() {
    try {
      SQLiteJDBCLoader.initialize();
    } catch (Exception e) { // declared by the driver
      throw new IllegalArgumentException("cannot load SQLite, which is extracted to "
          + System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"))
          + "; make this directory writable and executable, or name another one with"
          + " -Dorg.sqlite.tmpdir: "
          + e.getMessage());
    }
  }

  /** Denies access to other users: write access to the file is enough to create keys. */
  private static void createDirectory(Path directory) {
    try {
      Files.createDirectories(directory.getParent());
      if (!Files.getFileStore(directory.getParent()).supportsFileAttributeView("posix")) {
        Files.createDirectories(directory);
        return;
      }
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      }
      if (!Files.getPosixFilePermissions(directory).equals(OWNER_ONLY)) {
        Files.setPosixFilePermissions(directory, OWNER_ONLY);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot create the directory of the catalog: " + e, e);
    }
  }

  private static HikariDataSource connect(String jdbcUrl) {
    SQLiteConfig options = new SQLiteConfig();
    // A transaction takes the write lock when it begins. Taking it later fails if another
    // connection has written in between.
    options.setTransactionMode(TransactionMode.IMMEDIATE);
    SQLiteDataSource source = new SQLiteDataSource(options) {
      @Override
      public SQLiteConnection getConnection(@Nullable String user, @Nullable String password)
          throws SQLException {
        SQLiteConnection connection = super.getConnection(user, password);
        BusyHandler.setHandler(connection, new FileLockWait(LOCK_TIMEOUT));
        return connection;
      }
    };
    source.setUrl(jdbcUrl);
    HikariConfig config = new HikariConfig();
    config.setPoolName("tidegate-catalog");
    config.setDataSource(source);
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
    config.setMaxLifetime(0); // there is no network that drops old connections
    // A commit survives a power failure: versions of the catalog must never go back.
    config.setConnectionInitSql("PRAGMA synchronous = EXTRA");
    return new HikariDataSource(config);
  }

  @Override
  public HikariDataSource connections() {
    return connections;
  }

  @Override
  public boolean migrate() throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      if (version(statement) >= MIGRATIONS.size()) {
        return false;
      }
      connection.setAutoCommit(false); // other processes wait from the next statement on
      for (int version = version(statement); version < MIGRATIONS.size(); version++) {
        statement.executeUpdate(script(MIGRATIONS.get(version)));
        statement.executeUpdate("PRAGMA user_version = " + (version + 1));
      }
      connection.commit();
      return true;
    }
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }

  private static String script(String name) {
    try (InputStream script = FileStorage.class.getResourceAsStream(name)) {
      if (script == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Explains a lock, and failures to write: nearly always a full disk or a quota. */
  @Override
  public SQLException explain(SQLException failure) {
    int code = failure.getErrorCode() & 0xff; // without the extension, such as IOERR_WRITE
    if (code == SQLiteErrorCode.SQLITE_BUSY.code) {
      return new SQLTransientException("the catalog in " + directory
          + " has been locked by another process for " + LOCK_TIMEOUT.toSeconds()
          + " s: nothing was changed; retry when it has finished");
    }
    if (code != SQLiteErrorCode.SQLITE_FULL.code && code != SQLiteErrorCode.SQLITE_IOERR.code) {
      return failure;
    }
    return new SQLNonTransientException("cannot write the catalog in " + directory + " ("
        + failure.getMessage() + "; " + usableBytes() / 1024
        + " KB usable): the change failed, earlier changes are kept;"
        + " free space there, a restart is not needed");
  }

  private long usableBytes() {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return 0; // the directory cannot be accessed at all
    }
  }
}
