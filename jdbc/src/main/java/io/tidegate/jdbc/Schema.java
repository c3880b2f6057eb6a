package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** The table: made or brought up to date by Flyway, or only looked at. */
final class Schema {

  /** Apart from that of an application that uses Flyway in the same database. */
  private static final String HISTORY_TABLE = "tidegate_schema_history";

  private static final String MIGRATIONS = "io/tidegate/jdbc/migration";

  /** The newest of them. */
  static final String VERSION = "1";

  /** Less than the driver waits for an answer. */
  private static final int TURN_SECONDS = 4;

  private final DataSource database;
  private final boolean migrate;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean ready;

  Schema(DataSource database, boolean migrate) {
    this.database = database;
    this.migrate = migrate;
  }

  /**
   * Returns when the table is there. Nodes that start together take turns.
   *
   * @throws IllegalStateException if it is not, saying what to do
   * @throws SQLException if the database does not answer
   */
  void ensure() throws SQLException, InterruptedException {
    if (ready) {
      return;
    }
    // Whoever waits here for one that waits for the database would wait twice as long.
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
      if (!isTrue(statement, "SELECT GET_LOCK('tidegate_schema', " + TURN_SECONDS + ")")) {
        throw new SQLTransientException("another node is still making Tidegate's tables");
      }
      try {
        if (!isCurrent()) {
          migrate();
          look(); // there may have been one of the same name
        }
      } finally {
        isTrue(statement, "SELECT RELEASE_LOCK('tidegate_schema')");
      }
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
          return false; // nobody has made any
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
        statement
            .executeQuery("SELECT pk, workspace_id, namespace, identifier, duration_ms, sequence,"
                + " region, count, expires_at, updated_at FROM ratelimit_window_counts LIMIT 0")
            .close();
      } catch (SQLException e) {
        if (!isAboutTables(e)) {
          throw e;
        }
        throw new IllegalStateException(
            "the table ratelimit_window_counts is not there, or not as it should be; make it from "
                + MIGRATIONS + " in tidegate-jdbc.jar, or let Tidegate make it with migrate(true): "
                + e.getMessage()); // as the cause, it would be all that is logged
      }
    }
  }

  /** Whether a table or a column is not there, or not for us. */
  private static boolean isAboutTables(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("42");
  }
}
