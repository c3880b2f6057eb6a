package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Ensures, once, that the tables of the catalog exist and have the expected columns. */
final class CatalogSchema {

  /** The newest migration. */
  static final int VERSION = 2;

  /** Scripts for MySQL and MariaDB, on the class path. */
  static final String MIGRATIONS = "io/tidegate/catalog/migration";

  /** Less than a thread waits for the database, so that waiting threads do not wait twice. */
  private static final int LOCK_SECONDS = 4;

  /**
   * Queries that fail if a table or a column is missing. Reports of nodes are not among them: the
   * catalog works without them.
   */
  private static final List<String> CHECKS = List.of(
      "SELECT id, version FROM catalog_version LIMIT 0",
      "SELECT id, name, enabled, requests_per_minute, created_at_m, version"
          + " FROM workspaces LIMIT 0",
      "SELECT id, workspace_id, name, key_hash, key_start, permissions, enabled, created_at_m,"
          + " revoked_at_m, version FROM root_keys LIMIT 0",
      "SELECT id, workspace_id, name, name_hash, created_at_m, deleted_at_m, version"
          + " FROM ratelimit_namespaces LIMIT 0",
      "SELECT id, workspace_id, namespace_id, identifier, identifier_hash, limit_tokens,"
          + " duration_ms, created_at_m, updated_at_m, deleted_at_m, version"
          + " FROM ratelimit_overrides LIMIT 0",
      "SELECT id, workspace_id, event, actor, target, at_m, version FROM audit_log LIMIT 0");

  private final Storage storage;
  private final boolean migrate;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean ready;

  /**
   * Creates a schema that was not checked yet.
   *
   * @param migrate whether to create and upgrade the tables; otherwise they must exist
   */
  CatalogSchema(Storage storage, boolean migrate) {
    this.storage = storage;
    this.migrate = migrate;
  }

  /**
   * Returns when the tables exist.
   *
   * @throws SQLException if they do not exist, with a message that says what to do, or if the
   *     database is unavailable
   */
  void ensure() throws SQLException {
    if (ready) {
      return;
    }
    try {
      if (!lock.tryLock(LOCK_SECONDS, TimeUnit.SECONDS)) {
        throw new SQLTransientException("timed out while the tables of the catalog are checked");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientException("interrupted");
    }
    try {
      if (!migrate || storage.migrate()) {
        check(); // after a migration too: a table of the same name may have existed before
      }
      ready = true;
    } catch (IllegalStateException e) {
      throw new SQLNonTransientException(e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private void check() throws SQLException {
    try (Connection connection = storage.connections().getConnection();
        Statement statement = connection.createStatement()) {
      for (String check : CHECKS) {
        statement.executeQuery(check).close();
      }
    } catch (SQLException e) {
      if (!isAboutTables(e)) {
        throw e;
      }
      throw new IllegalStateException("the tables of the catalog are missing or incomplete; run the"
          + " scripts in " + MIGRATIONS + " of tidegate-catalog.jar, or let Tidegate run them with"
          + " migrate(true): " + e.getMessage());
    }
  }

  /** Whether a table or a column is missing or may not be accessed. SQLite has no SQL states. */
  static boolean isAboutTables(SQLException e) {
    String state = e.getSQLState();
    return state != null
        ? state.startsWith("42")
        : String.valueOf(e.getMessage()).contains("no such ");
  }
}
