package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One edit of the catalog: a transaction that begins by raising the version.
 *
 * <p>The row of the version is a lock: edits of all nodes run one after the other. So the rows that
 * an edit has read do not change before it commits, and edits become visible in the order of their
 * versions. Used by one thread.
 */
final class CatalogEdit {

  private final Connection connection;
  private final RandomText random;
  private final long version;
  private final long nowMillis = System.currentTimeMillis();
  private boolean changed;

  private CatalogEdit(Connection connection, RandomText random, long version) {
    this.connection = connection;
    this.random = random;
    this.version = version;
  }

  /** Waits for the edits before it. */
  static CatalogEdit begin(Connection connection, RandomText random) throws SQLException {
    connection.setAutoCommit(false);
    if (Statements.update(connection, "UPDATE catalog_version SET version = version + 1") != 1) {
      throw new SQLException("the table catalog_version must have one row");
    }
    return new CatalogEdit(connection, random, version(connection));
  }

  static long version(Connection connection) throws SQLException {
    return Statements.list(
            connection, row -> row.getLong("version"), "SELECT version FROM catalog_version")
        .stream()
        .findFirst()
        .orElseThrow(() -> new SQLException("the table catalog_version must have one row"));
  }

  RandomText random() {
    return random;
  }

  long nowMillis() {
    return nowMillis;
  }

  /** Whether there is something to commit. */
  boolean hasChanged() {
    return changed;
  }

  <T> Optional<T> find(CatalogTable<T> table, String condition, Object... parameters)
      throws SQLException {
    return table.find(connection, condition, parameters);
  }

  <T> Optional<T> byId(CatalogTable<T> table, String id) throws SQLException {
    return table.byId(connection, id);
  }

  /** Inserts a row with a new id and the version of this edit. */
  <T> T insert(CatalogTable<T> table, String columns, @Nullable Object... values)
      throws SQLException {
    String id = newId(table);
    Statements.update(
        connection,
        "INSERT INTO " + table.name() + " (" + columns + ", id, version) VALUES ("
            + "?, ".repeat(values.length) + "?, ?)",
        append(values, id, version));
    return read(table, id);
  }

  /** Updates a row and its version. */
  <T> T update(CatalogTable<T> table, String id, String assignments, @Nullable Object... values)
      throws SQLException {
    Statements.update(
        connection,
        "UPDATE " + table.name() + " SET " + assignments + ", version = ? WHERE id = ?",
        append(values, version, id));
    return read(table, id);
  }

  /** Adds an entry to the audit log. An edit without an entry is not committed. */
  void record(String workspaceId, String event, String actor, String target) throws SQLException {
    Statements.update(
        connection,
        "INSERT INTO audit_log (workspace_id, event, actor, target, at_m, version)"
            + " VALUES (?, ?, ?, ?, ?, ?)",
        workspaceId,
        event,
        actor,
        target,
        nowMillis,
        version);
    changed = true;
  }

  private String newId(CatalogTable<?> table) throws SQLException {
    String id;
    do {
      id = random.id(table.prefix());
    } while (table.byId(connection, id).isPresent());
    return id;
  }

  private <T> T read(CatalogTable<T> table, String id) throws SQLException {
    return byId(table, id)
        .orElseThrow(() -> new SQLException("no row of " + table.name() + " has the id " + id));
  }

  private static @Nullable Object[] append(@Nullable Object[] values, Object... more) {
    @Nullable Object[] all = Arrays.copyOf(values, values.length + more.length);
    System.arraycopy(more, 0, all, values.length, more.length);
    return all;
  }
}
