package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** The tables of the catalog: created or upgraded by Flyway, or only checked. */
final class Schema {

  /** Less than the driver waits for an answer. */
  private static final int TURN_SECONDS = 4;

  private static final String MIGRATIONS = "io/tidegate/catalog/migration";

  /** Apart from that of an application that uses Flyway in the same database. */
  private static final String HISTORY_TABLE = "tidegate_catalog_history";

  /** The newest migration. */
  static final int VERSION = 1;

  /** Queries that fail if a table or a column is missing. */
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

  private final DataSource database;
  private final boolean migrate;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean ready;

  Schema(DataSource database, boolean migrate) {
    this.database = database;
    this.migrate = migrate;
  }

  /**
   * Returns when the tables are there. Nodes that start together take turns.
   *
   * @throws IllegalStateException if they are not, saying what to do
   * @throws SQLException if the database does not answer
   */
  void ensure() throws SQLException, InterruptedException {
    if (ready) {
      return;
    }
    // A thread that waits here for one that waits for the database would wait twice as long.
    if (!turn.tryLock(TURN_SECONDS, TimeUnit.SECONDS)) {
      throw new SQLTransientException(
          "the database has not said whether Tidegate's tables are there");
    }
    try {
      lookOrMake();
      ready = true;
    } finally {
      turn.unlock();
    }
  }

  private void lookOrMake() throws SQLException {
    if (!migrate) {
      look();
    } else if (!isCurrent()) {
      takeTurns();
    }
  }

  /** Flyway's own lock comes too late for nodes that begin with an empty database together. */
  private void takeTurns() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      if (H2File.isServing(connection)) {
        connection.setAutoCommit(false);
        H2File.takeTurn(statement);
        makeUnlessCurrent();
        connection.commit();
        return;
      }
      if (!isTrue(statement, "SELECT GET_LOCK('tidegate_schema', " + TURN_SECONDS + ")")) {
        throw new SQLTransientException("another node is still making Tidegate's tables");
      }
      try {
        makeUnlessCurrent();
      } finally {
        isTrue(statement, "SELECT RELEASE_LOCK('tidegate_schema')");
      }
    }
  }

  private void makeUnlessCurrent() throws SQLException {
    if (!isCurrent()) {
      migrate();
      look(); // there may have been one of the same name
    }
  }

  private static boolean isTrue(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() && row.getInt(1) > 0;
    }
  }

  /** One question, where Flyway has dozens: the database may be on another continent. */
  private boolean isCurrent() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      try {
        return isTrue(
            statement,
            "SELECT COUNT(*) FROM " + HISTORY_TABLE + " WHERE version = '" + VERSION
                + "' AND success = 1");
      } catch (SQLException e) {
        if (isAboutTables(e)) {
          return false; // not created yet
        }
        throw e;
      }
    }
  }

  private void migrate() {
    try {
      Flyway flyway = Flyway.configure(Schema.class.getClassLoader())
          .dataSource(database)
          .locations("classpath:" + MIGRATIONS)
          .table(HISTORY_TABLE)
          .baselineOnMigrate(true) // the database may have tables of others
          .baselineVersion("0")
          .load();
      flyway.repair(); // one that was interrupted is done again: each can be
      flyway.migrate();
    } catch (FlywayException e) {
      throw new IllegalStateException(
          "cannot make or update Tidegate's tables; give the user the rights CREATE, ALTER and INDEX beside SELECT, INSERT, UPDATE and DELETE, or have them made from "
              + MIGRATIONS + " and switch this off with migrate(false): "
              + e.getMessage()); // as the cause, it would be all that is logged
    }
  }

  private void look() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      try {
        for (String check : CHECKS) {
          statement.executeQuery(check).close();
        }
      } catch (SQLException e) {
        if (!isAboutTables(e)) {
          throw e;
        }
        throw new IllegalStateException(
            "the tables of the catalog are not there, or not as they should be; run what is in "
                + MIGRATIONS
                + " of tidegate-catalog.jar, or let Tidegate do so with migrate(true): "
                + e.getMessage()); // as the cause, it would be all that is logged
      }
    }
  }

  /** Whether a table or a column is not there, or not for us. */
  private static boolean isAboutTables(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("42");
  }
}
