package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** The table: made or brought up to date by Flyway, or only looked at. */
final class Schema {

  /** Apart from that of an application that uses Flyway in the same database. */
  private static final String HISTORY_TABLE = "tidegate_schema_history";

  private static final String MIGRATIONS = "io/tidegate/jdbc/migration";

  private final DataSource database;
  private final boolean migrate;
  private boolean ready;

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
  synchronized void ensure() throws SQLException {
    if (ready) {
      return;
    }
    if (migrate) {
      database.getConnection().close(); // what fails here is the database, and not its tables
      migrate();
    } else {
      look();
    }
    ready = true;
  }

  private void migrate() {
    try {
      Flyway.configure(Schema.class.getClassLoader())
          .dataSource(database)
          .locations("classpath:" + MIGRATIONS)
          .table(HISTORY_TABLE)
          .baselineOnMigrate(true) // the database may have tables of others
          .baselineVersion("0")
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new IllegalStateException(
          "cannot make or update Tidegate's tables; give the user the rights CREATE, ALTER, INDEX, INSERT, UPDATE and SELECT, or have them made from "
              + MIGRATIONS + " and switch this off with migrate(false): " + e.getMessage(),
          e);
    }
  }

  private void look() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      try {
        statement
            .executeQuery(
                "SELECT pk, series_hash, workspace_id, namespace, identifier, duration_ms, sequence,"
                    + " region, count, expires_at, updated_at FROM ratelimit_window_counts LIMIT 0")
            .close();
      } catch (SQLException e) {
        if (e.getSQLState() == null || !e.getSQLState().startsWith("42")) {
          throw e;
        }
        throw new IllegalStateException(
            "the table ratelimit_window_counts is not there, or not as it should be; make it from "
                + MIGRATIONS + " in tidegate-jdbc.jar, or let Tidegate make it with migrate(true): "
                + e.getMessage(),
            e);
      }
    }
  }
}
