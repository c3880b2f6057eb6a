package io.tidegate.catalog;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a file, for a pool. Processes open it one at a time: those that come together
 * would each take the lock file of the others for a new one, and give up.
 */
final class H2Connections implements DataSource {

  private final String url;
  private final String user;
  private final String password;
  private final String readOnlyUrl;
  private final Path file;
  private final FullDisk disk;
  private final Duration longest;

  /**
   * Connections to one file.
   *
   * @param readOnlyUrl for connections that only read, if the disk is full
   * @param file without its extension
   * @param longest how long to wait for others
   */
  H2Connections(
      String url, String readOnlyUrl, String user, String password, Path file, Duration longest) {
    this.url = url;
    this.readOnlyUrl = readOnlyUrl;
    this.user = user;
    this.password = password;
    this.file = file;
    this.disk = new FullDisk(file.getParent());
    this.longest = longest;
  }

  /** What is done in turn. */
  interface Work<T> {
    T run() throws SQLException;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return inTurn(() -> {
      try {
        return DriverManager.getConnection(url, user, password);
      } catch (SQLException e) {
        if (disk.isCauseOf(e)) {
          return readOnly(e);
        }
        throw e;
      }
    });
  }

  /**
   * A connection that writes nothing, not even a lock file, so that a node can start on a full
   * disk. Another process may write meanwhile: H2 keeps what it replaces for 45 seconds, so this
   * connection must be closed sooner. While it is open, all others of this process only read, too.
   */
  private Connection readOnly(SQLException failure) throws SQLException {
    try {
      deleteEmptyLock();
      return DriverManager.getConnection(readOnlyUrl, user, password);
    } catch (SQLException | IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /** H2 leaves one behind if there is no space to write it, and takes it for that of a process. */
  private void deleteEmptyLock() throws IOException {
    Path lock = Path.of(file + ".lock.db");
    if (Files.exists(lock) && Files.size(lock) == 0) {
      Files.delete(lock); // those that could be writing it wait for this turn
    }
  }

  <T> T inTurn(Work<T> work) throws SQLException {
    try {
      FileTurn mine = FileTurn.take(Path.of(file + ".turn"), longest);
      try {
        return work.run();
      } finally {
        mine.end();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted", e);
    } catch (IOException e) {
      throw new SQLTransientConnectionException(e.toString(), e);
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter writer) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
