package io.tidegate.catalog;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Runs reads and edits of the catalog on pooled connections. Any thread may call. */
final class CatalogDatabase {

  /** Bound for closing: the driver waits for a database that may not answer. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** Reads with a connection, which commits each statement. */
  interface Read<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs statements of one edit. */
  interface Edit<T> {
    T run(CatalogEdit edit) throws SQLException;
  }

  private final Storage storage;
  private final HikariDataSource connections;
  private final CatalogSchema schema;
  private final RandomText random;

  CatalogDatabase(Storage storage, boolean migrate, RandomText random) {
    this.storage = storage;
    this.connections = storage.connections();
    this.schema = new CatalogSchema(storage, migrate);
    this.random = random;
  }

  /** A connection on which a statement failed is closed: its state is unknown. */
  <T> T read(Read<T> read) throws SQLException {
    try {
      schema.ensure();
      try (Connection connection = connections.getConnection()) {
        try {
          return read.run(connection);
        } catch (SQLException e) {
          connections.evictConnection(connection);
          throw e;
        }
      }
    } catch (SQLException e) {
      throw storage.explain(e);
    }
  }

  /** Commits if the edit has changed something. Otherwise the pool rolls back. */
  <T> T edit(Edit<T> work) throws SQLException {
    return read(connection -> {
      CatalogEdit edit = CatalogEdit.begin(connection, random);
      T result = work.run(edit);
      if (edit.hasChanged()) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return result;
    });
  }

  void close() {
    Thread closer = new Thread(connections::close, "tidegate-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
