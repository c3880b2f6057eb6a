package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Connections of the application's data source: borrowed for each use, and returned with the
 * settings that they had before. The data source stays open when the counters are closed.
 */
final class BorrowedConnections implements Connections {

  private final DataSource dataSource;
  private final int answerTimeoutMillis;

  /**
   * Connections of a data source.
   *
   * @param answerTimeout how long a statement may take, even if the data source allows more: a
   *     statement without an answer would block its thread forever
   */
  BorrowedConnections(DataSource dataSource, Duration answerTimeout) {
    this.dataSource = dataSource;
    this.answerTimeoutMillis = Math.toIntExact(answerTimeout.toMillis());
  }

  @Override
  public <T> T use(Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      State before = State.of(connection);
      State counting = before.counting(answerTimeoutMillis);
      T result;
      try {
        counting.apply(connection, before);
        result = work.with(connection);
      } catch (SQLException | RuntimeException | Error e) {
        try {
          before.apply(connection, counting);
        } catch (SQLException broken) {
          e.addSuppressed(broken);
        }
        throw e;
      }
      before.apply(connection, counting);
      return result;
    }
  }

  /** The settings that the counters depend on. */
  private record State(
      boolean autoCommit, boolean readOnly, int isolation, int networkTimeoutMillis) {

    static State of(Connection connection) throws SQLException {
      return new State(
          connection.getAutoCommit(),
          connection.isReadOnly(),
          connection.getTransactionIsolation(),
          connection.getNetworkTimeout());
    }

    /** The settings during use. */
    State counting(int maxMillis) {
      int timeout =
          networkTimeoutMillis == 0 ? maxMillis : Math.min(networkTimeoutMillis, maxMillis);
      return new State(true, false, Connection.TRANSACTION_READ_COMMITTED, timeout);
    }

    /** Changes only settings that differ, because some need a round trip. */
    void apply(Connection connection, State current) throws SQLException {
      if (networkTimeoutMillis != current.networkTimeoutMillis) {
        connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
      }
      if (autoCommit != current.autoCommit) {
        connection.setAutoCommit(autoCommit);
      }
      if (readOnly != current.readOnly) {
        connection.setReadOnly(readOnly);
      }
      if (isolation != current.isolation) {
        connection.setTransactionIsolation(isolation);
      }
    }
  }

  /** Does nothing: the data source belongs to the application. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "the database of " + dataSource.getClass().getSimpleName();
  }
}
