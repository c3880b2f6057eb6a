package io.tidegate.catalog;

import java.io.IOException;
import java.io.PrintWriter;
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
  private final Path turn;
  private final Duration longest;

  /**
   * Connections to one file.
   *
   * @param turn a file beside it
   * @param longest how long to wait for others
   */
  H2Connections(String url, String user, String password, Path turn, Duration longest) {
    this.url = url;
    this.user = user;
    this.password = password;
    this.turn = turn;
    this.longest = longest;
  }

  /** What is done in turn. */
  interface Work<T> {
    T run() throws SQLException;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return inTurn(() -> DriverManager.getConnection(url, user, password));
  }

  <T> T inTurn(Work<T> work) throws SQLException {
    try {
      FileTurn mine = FileTurn.take(turn, longest);
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
