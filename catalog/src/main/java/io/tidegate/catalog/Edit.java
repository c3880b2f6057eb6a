package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One edit of the catalog: a transaction that nobody else edits beside, all over the world, since
 * each begins by raising the version. So what it has read still holds when it writes, and versions
 * are in the order in which edits become visible.
 */
final class Edit {

  private final Connection connection;
  private final RandomText random;
  private final long version;
  private final long nowMillis = System.currentTimeMillis();
  private boolean changed;

  private Edit(Connection connection, RandomText random, long version) {
    this.connection = connection;
    this.random = random;
    this.version = version;
  }

  /** Waits until the edits before it are over. */
  static Edit begin(Connection connection, RandomText random) throws SQLException {
    connection.setAutoCommit(false);
    if (Query.update(connection, "UPDATE catalog_version SET version = version + 1") != 1) {
      throw new SQLException("the table catalog_version must have one row");
    }
    return new Edit(connection, random, version(connection));
  }

  static long version(Connection connection) throws SQLException {
    return Query.list(
            connection, row -> row.getLong("version"), "SELECT version FROM catalog_version")
        .stream()
        .findFirst()
        .orElseThrow(() -> new SQLException("the table catalog_version must have one row"));
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

  /** Makes a row, with an id and the version of this edit. */
  <T> T insert(CatalogTable<T> table, String columns, @Nullable Object... values)
      throws SQLException {
    String id = newId(table);
    Query.update(
        connection,
        "INSERT INTO " + table.name() + " (" + columns + ", id, version) VALUES ("
            + "?, ".repeat(values.length) + "?, ?)",
        and(values, id, version));
    return read(table, id);
  }

  /** Changes a row, which gets the version of this edit. */
  <T> T update(CatalogTable<T> table, String id, String assignments, @Nullable Object... values)
      throws SQLException {
    Query.update(
        connection,
        "UPDATE " + table.name() + " SET " + assignments + ", version = ? WHERE id = ?",
        and(values, version, id));
    return read(table, id);
  }

  /** Says in the audit log who did what. Without it, nothing is committed. */
  void record(String workspaceId, String event, String actor, String target) throws SQLException {
    Query.update(
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

  private static @Nullable Object[] and(@Nullable Object[] values, Object... more) {
    @Nullable Object[] all = Arrays.copyOf(values, values.length + more.length);
    System.arraycopy(more, 0, all, values.length, more.length);
    return all;
  }
}
