package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Connections to the database, each used by one thread at a time. Thread-safe. */
interface Connections extends AutoCloseable {

  /** Work that needs a connection. */
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /**
   * Runs work with a connection that commits each statement, at {@code READ COMMITTED}.
   *
   * <p>Counts are raised and never lowered, so gaps between rows need no locks. A higher isolation
   * level would lock gaps, and concurrent pushes could deadlock.
   */
  <T> T use(Work<T> work) throws SQLException;

  @Override
  void close();
}
