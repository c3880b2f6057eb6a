package io.tidegate.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tables of the counters: created and upgraded, or only checked.
 *
 * <p>The table {@code tidegate_schema} has one row, with the version of the tables. Tables that an
 * earlier release has created with Flyway have no such row; they get one when the migrations, which
 * change nothing there, are repeated.
 */
final class Schema {

  /** Each can be repeated. The version of the tables is the number of migrations done. */
  private static final List<String> MIGRATIONS =
      List.of("V1__window_counts.sql", "V2__regions.sql");

  static final int VERSION = MIGRATIONS.size();

  /**
   * The oldest version of this class that can work with tables of this version. Equal to
   * {@link #VERSION} only if the newest migration breaks earlier releases: nodes of neighbouring
   * releases must be able to work together.
   */
  private static final int COMPATIBLE_FROM = 1;

  /** Queries that fail if a table or a column is missing. */
  private static final List<String> CHECKS = List.of(
      "SELECT pk, workspace_id, namespace, identifier, duration_ms, sequence, region, count,"
          + " expires_at, updated_at FROM ratelimit_window_counts LIMIT 0",
      "SELECT region, identity, announcements, updated_at FROM ratelimit_regions LIMIT 0");

  private static final String FOLDER = "io/tidegate/jdbc/migration";

  /** Less than the driver waits for an answer. */
  private static final int LOCK_SECONDS = 4;

  private final Connections connections;
  private final boolean migrate;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean ready;

  Schema(Connections connections, boolean migrate) {
    this.connections = connections;
    this.migrate = migrate;
  }

  /**
   * Returns when the tables are there and usable.
   *
   * @throws IllegalStateException if they are not; the message says what to do
   * @throws SQLException if the database does not answer
   */
  void ensure() throws SQLException, InterruptedException {
    if (ready) {
      return;
    }
    // A thread that waits here for one that waits for the database would wait twice as long.
    if (!lock.tryLock(LOCK_SECONDS, TimeUnit.SECONDS)) {
      throw new SQLTransientException(
          "the database has not said whether Tidegate's tables are there");
    }
    try {
      connections.use(connection -> {
        try (Statement statement = connection.createStatement()) {
          ensure(statement);
        }
        return null;
      });
      ready = true;
    } finally {
      lock.unlock();
    }
  }

  private void ensure(Statement statement) throws SQLException {
    boolean hasVersion = version(statement) >= VERSION;
    String problem = problem(statement);
    if (migrate && !(hasVersion && problem.isEmpty())) {
      migrate(statement);
      problem = problem(statement); // there may have been another table of the same name
    }
    if (!problem.isEmpty()) {
      throw new IllegalStateException(
          "a table of the global counters is missing, or not as it should be; run what is in "
              + FOLDER + " of tidegate-jdbc.jar, or let Tidegate do so with migrate(true): "
              + problem); // as the cause, it would be all that is logged
    }
  }

  /**
   * The version of the tables; 0 if they have none.
   *
   * @throws IllegalStateException if they are too new for this release
   */
  private static int version(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT version, compatible_from FROM tidegate_schema")) {
      if (!row.next()) {
        return 0;
      }
      int version = row.getInt("version");
      int compatibleFrom = row.getInt("compatible_from");
      if (compatibleFrom > VERSION) {
        throw new IllegalStateException("the tables of the global counters have the schema version "
            + version
            + ", which a newer release of Tidegate has made and releases of schema version "
            + compatibleFrom + " or later can use; this one has " + VERSION
            + ": upgrade this node, or give it another database");
      }
      return version;
    } catch (SQLException e) {
      if (SqlFailures.isAboutTables(e)) {
        return 0;
      }
      throw e;
    }
  }

  /** Nodes that start together take turns. */
  private static void migrate(Statement statement) throws SQLException {
    if (!isTrue(statement, "SELECT GET_LOCK('tidegate_schema', " + LOCK_SECONDS + ")")) {
      throw new SQLTransientException("another node is still creating Tidegate's tables");
    }
    try {
      for (String migration : MIGRATIONS) {
        statement.execute(Sql.read("migration/" + migration));
      }
      statement.execute(Sql.read("schema_version.sql"));
      statement.execute(
          "INSERT INTO tidegate_schema (id, version, compatible_from) VALUES (1, "
              + VERSION + ", " + COMPATIBLE_FROM
              + ") ON DUPLICATE KEY UPDATE compatible_from = IF(version < VALUES(version),"
              + " VALUES(compatible_from), compatible_from), version = GREATEST(version, VALUES(version))");
    } catch (SQLException e) {
      if (!SqlFailures.isAboutTables(e)) {
        throw e;
      }
      throw new IllegalStateException(
          "cannot create or upgrade Tidegate's tables; grant the user CREATE and ALTER beside SELECT, INSERT, UPDATE and DELETE, or create them from "
              + FOLDER + " of tidegate-jdbc.jar and switch this off with migrate(false): "
              + e.getMessage()); // as the cause, it would be all that is logged
    } finally {
      isTrue(statement, "SELECT RELEASE_LOCK('tidegate_schema')");
    }
  }

  private static boolean isTrue(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() && row.getInt(1) > 0;
    }
  }

  /** What the database says of the table or column that is missing; empty if none is. */
  private static String problem(Statement statement) throws SQLException {
    try {
      for (String check : CHECKS) {
        statement.executeQuery(check).close();
      }
      return "";
    } catch (SQLException e) {
      if (SqlFailures.isAboutTables(e)) {
        return e.getMessage();
      }
      throw e;
    }
  }
}
