package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Connections to the database, each in use by one thread at a time. Safe for all threads. */
interface Connections extends AutoCloseable {

  /** Work with a connection. */
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /**
   * Runs work with a connection that commits each statement, at {@code READ COMMITTED}.
   *
   * <p>Where counts are raised and never lowered, the gaps between rows need no locks. A higher
   * isolation would lock them, and let concurrent pushes deadlock.
   */
  <T> T use(Work<T> work) throws SQLException;

  @Override
  void close();
}
