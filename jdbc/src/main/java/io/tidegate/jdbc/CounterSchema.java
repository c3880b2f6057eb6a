package io.tidegate.jdbc;

import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Creates and upgrades the tables of the global counters, or only checks them. Tables that have all
 * columns are used even if the upgrade fails, because an index is not worth an outage; the next
 * start of a node repeats the upgrade.
 *
 * <p>The table {@code tidegate_schema} has one row, with the version of the tables. Tables created
 * by an early release with Flyway have no such row. They receive one when the migrations are
 * repeated, which changes nothing else there.
 *
 * <p>Thread-safe: the first call of {@link #ensure} works, and others wait for it.
 */
final class CounterSchema {

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  /** Each can be repeated. The version of the tables is the number of completed migrations. */
  private static final List<String> MIGRATIONS =
      List.of("V1__window_counts.sql", "V2__regions.sql", "V3__region_index.sql");

  static final int VERSION = MIGRATIONS.size();

  /**
   * The oldest schema version whose releases can use tables of this version. Equal to
   * {@link #VERSION} only if the newest migration breaks earlier releases. Nodes of consecutive
   * releases must be able to run together.
   */
  private static final int COMPATIBLE_FROM = 1;

  /** Queries that fail if a table or a column is missing. */
  private static final List<String> CHECKS = List.of(
      "SELECT pk, workspace_id, namespace, identifier, duration_ms, sequence, region, count,"
          + " expires_at, updated_at FROM ratelimit_window_counts LIMIT 0",
      "SELECT region, identity, announcements, updated_at FROM ratelimit_regions LIMIT 0");

  private static final String FOLDER = "io/tidegate/jdbc/migration";

  /** Less than the answer timeout of the driver. */
  private static final int LOCK_SECONDS = 4;

  /**
   * How long a migration waits until no transaction uses the table. Pushes and pulls of all nodes
   * wait behind it, and a backup can take hours.
   */
  private static final int TABLE_LOCK_SECONDS = 2;

  /** Errors of an index that exists, and of a foreign table, whose columns are checked later. */
  private static final Set<Integer> IGNORED_ERRORS = Set.of(1061, 1072);

  private final Connections connections;
  private final boolean migrate;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean ready;

  CounterSchema(Connections connections, boolean migrate) {
    this.connections = connections;
    this.migrate = migrate;
  }

  /**
   * Returns when the tables exist and are usable. Does nothing after the first success.
   *
   * @throws IllegalStateException if they are not usable; the message says what to do
   * @throws SQLException if the database fails
   */
  void ensure() throws SQLException, InterruptedException {
    if (ready) {
      return;
    }
    // Bounded: waiting for another thread and then for the database would take twice as long.
    if (!lock.tryLock(LOCK_SECONDS, TimeUnit.SECONDS)) {
      throw new SQLTransientException("still checking whether Tidegate's tables exist");
    }
    try {
      ready = connections.use(connection -> {
        try (Statement statement = connection.createStatement()) {
          ensure(statement);
          return true;
        }
      });
    } finally {
      lock.unlock();
    }
  }

  private void ensure(Statement statement) throws SQLException {
    boolean hasVersion = version(statement) >= VERSION;
    String problem = problem(statement);
    if (migrate && !(hasVersion && problem.isEmpty())) {
      migrateOrLog(statement);
      problem = problem(statement); // a foreign table of the same name stays as it is
    }
    if (!problem.isEmpty()) {
      throw new IllegalStateException(
          "a table of the global counters is missing or has other columns; run the SQL in "
              + FOLDER + " of tidegate-jdbc.jar, or let Tidegate do so with migrate(true): "
              + problem); // in the message, because logs show only the root cause
    }
  }

  /**
   * Returns the version of the tables; 0 if they have none.
   *
   * @throws IllegalStateException if the tables are too new for this release
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
            + ", created by a newer release of Tidegate; releases of schema version "
            + compatibleFrom
            + " or later can use them, this one has " + VERSION
            + ": upgrade this node, or use another database");
      }
      return version;
    } catch (SQLException e) {
      if (SqlFailures.isAboutTables(e)) {
        return 0;
      }
      throw e;
    }
  }

  /** Runs the migrations. A failure is thrown only if the tables are not usable without them. */
  private static void migrateOrLog(Statement statement) throws SQLException {
    try {
      migrate(statement);
    } catch (SQLException | IllegalStateException e) {
      if (!problem(statement).isEmpty()) {
        throw e;
      }
      LOG.log(
          Level.WARNING,
          "The tables of the global counters are used without an upgrade, which the next start of a node will repeat: {0}",
          e.getMessage());
    }
  }

  /** Runs the migrations under a lock of the database, since several nodes may start together. */
  private static void migrate(Statement statement) throws SQLException {
    if (number(statement, "SELECT GET_LOCK('tidegate_schema', " + LOCK_SECONDS + ")") != 1) {
      throw new SQLTransientException("another node is creating or upgrading Tidegate's tables");
    }
    try {
      runMigrations(statement);
    } catch (SQLException e) {
      if (!SqlFailures.isAboutTables(e)) {
        throw e;
      }
      throw new IllegalStateException(
          "cannot create or upgrade Tidegate's tables; grant CREATE and ALTER in addition to SELECT, INSERT, UPDATE and DELETE, or run the SQL in "
              + FOLDER + " of tidegate-jdbc.jar and use migrate(false): "
              + e.getMessage()); // in the message, because logs show only the root cause
    } finally {
      number(statement, "SELECT RELEASE_LOCK('tidegate_schema')");
    }
  }

  private static void runMigrations(Statement statement) throws SQLException {
    // The connection may belong to the application, so the setting is restored.
    long before = number(statement, "SELECT @@SESSION.lock_wait_timeout");
    statement.execute("SET SESSION lock_wait_timeout = " + TABLE_LOCK_SECONDS);
    try {
      for (String migration : MIGRATIONS) {
        run(statement, migration);
      }
      statement.execute(Sql.read("schema_version.sql"));
      statement.execute(
          "INSERT INTO tidegate_schema (id, version, compatible_from) VALUES (1, "
              + VERSION + ", " + COMPATIBLE_FROM
              + ") ON DUPLICATE KEY UPDATE compatible_from = IF(version < VALUES(version),"
              + " VALUES(compatible_from), compatible_from), version = GREATEST(version, VALUES(version))");
    } finally {
      statement.execute("SET SESSION lock_wait_timeout = " + before);
    }
  }

  private static void run(Statement statement, String migration) throws SQLException {
    try {
      statement.execute(Sql.read("migration/" + migration));
    } catch (SQLException e) {
      if (!IGNORED_ERRORS.contains(e.getErrorCode())) {
        throw e;
      }
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Returns the error for a missing table or column; empty if there is none. */
  private static String problem(Statement statement) throws SQLException {
    try {
      for (String check : CHECKS) {
        statement.executeQuery(check).close();
      }
      return "";
    } catch (SQLException e) {
      if (SqlFailures.isAboutTables(e)) {
        return String.valueOf(e.getMessage());
      }
      throw e;
    }
  }
}
