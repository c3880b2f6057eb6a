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

/** Tables: made or brought up to date by Flyway, or only looked at. */
final class Schema {

  /** Less than the driver waits for an answer. */
  private static final int TURN_SECONDS = 4;

  private final DataSource database;
  private final Tables tables;
  private final boolean migrate;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean ready;

  Schema(DataSource database, Tables tables, boolean migrate) {
    this.database = database;
    this.tables = tables;
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
            "SELECT COUNT(*) FROM " + tables.historyTable + " WHERE version = '" + tables.version
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
          .locations("classpath:" + tables.migrations)
          .table(tables.historyTable)
          .baselineOnMigrate(true) // the database may have tables of others
          .baselineVersion("0")
          .load();
      flyway.repair(); // one that was interrupted is done again: each can be
      flyway.migrate();
    } catch (FlywayException e) {
      throw new IllegalStateException(
          "cannot make or update Tidegate's tables; give the user the rights CREATE, ALTER and INDEX beside SELECT, INSERT, UPDATE and DELETE, or have them made from "
              + tables.migrations + " and switch this off with migrate(false): "
              + e.getMessage()); // as the cause, it would be all that is logged
    }
  }

  private void look() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      try {
        for (String look : tables.looks) {
          statement.executeQuery(look).close();
        }
      } catch (SQLException e) {
        if (!isAboutTables(e)) {
          throw e;
        }
        throw new IllegalStateException(
            tables.subject + " not there, or not as it should be; run what is in "
                + tables.migrations
                + " of tidegate-jdbc.jar, or let Tidegate do so with migrate(true): "
                + e.getMessage()); // as the cause, it would be all that is logged
      }
    }
  }

  /** Whether a table or a column is not there, or not for us. */
  private static boolean isAboutTables(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("42");
  }
}
