package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of the catalog, and what its rows say.
 *
 * @param name of the table
 * @param prefix of its ids
 * @param id of a value
 * @param reader makes a value of a row
 */
record CatalogTable<T>(String name, String prefix, Function<T, String> id, Query.Reader<T> reader) {

  static final CatalogTable<Workspace> WORKSPACES = new CatalogTable<>(
      "workspaces",
      "ws_",
      Workspace::id,
      row -> new Workspace(
          row.getString("id"),
          row.getString("name"),
          row.getBoolean("enabled"),
          nullableLong(row, "requests_per_minute"),
          row.getLong("version")));

  static final CatalogTable<RootKey> KEYS = new CatalogTable<>(
      "root_keys",
      "key_",
      RootKey::id,
      row -> new RootKey(
          row.getString("id"),
          row.getString("workspace_id"),
          row.getString("name"),
          row.getString("key_hash"),
          row.getString("key_start"),
          permissions(row.getString("permissions")),
          row.getBoolean("enabled"),
          nullableLong(row, "revoked_at_m") != null,
          row.getLong("created_at_m"),
          row.getLong("version")));

  static final CatalogTable<Namespace> NAMESPACES = new CatalogTable<>(
      "ratelimit_namespaces",
      "rlns_",
      Namespace::id,
      row -> new Namespace(
          row.getString("id"),
          row.getString("workspace_id"),
          row.getString("name"),
          nullableLong(row, "deleted_at_m") != null,
          row.getLong("created_at_m"),
          row.getLong("version")));

  static final CatalogTable<LimitOverride> OVERRIDES = new CatalogTable<>(
      "ratelimit_overrides",
      "rlor_",
      LimitOverride::id,
      row -> new LimitOverride(
          row.getString("id"),
          row.getString("workspace_id"),
          row.getString("namespace_id"),
          row.getString("identifier"),
          row.getLong("limit_tokens"),
          row.getLong("duration_ms"),
          nullableLong(row, "deleted_at_m") != null,
          row.getLong("created_at_m"),
          row.getLong("updated_at_m"),
          row.getLong("version")));

  /** What was changed after a version, in the order of the changes. */
  List<T> since(Connection connection, long version) throws SQLException {
    return Query.list(
        connection,
        reader,
        "SELECT * FROM " + name + " WHERE version > ? ORDER BY version",
        version);
  }

  /** The only row for which a condition holds. */
  Optional<T> find(Connection connection, String condition, Object... parameters)
      throws SQLException {
    return Query.list(
            connection, reader, "SELECT * FROM " + name + " WHERE " + condition, parameters)
        .stream()
        .findFirst();
  }

  /** The row of exactly this id: to the database, blanks at the end may be nothing. */
  Optional<T> byId(Connection connection, String key) throws SQLException {
    return find(connection, "id = ?", key).filter(value -> id.apply(value).equals(key));
  }

  private static @Nullable Long nullableLong(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  private static Set<String> permissions(String lines) {
    return Arrays.stream(lines.split("\n"))
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }
}
