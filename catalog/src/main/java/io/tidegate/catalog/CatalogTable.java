package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A table of the catalog.
 *
 * @param name name of the table
 * @param prefix prefix of its ids
 * @param id reads the id of a value
 * @param reader reads a value from a row
 */
record CatalogTable<T>(
    String name, String prefix, Function<T, String> id, Statements.Reader<T> reader) {

  /** The rows changed after a version, in the order of their changes. */
  List<T> since(Connection connection, long version) throws SQLException {
    return Statements.list(
        connection,
        reader,
        "SELECT * FROM " + name + " WHERE version > ? ORDER BY version",
        version);
  }

  /** The first row that fulfils a condition. */
  Optional<T> find(Connection connection, String condition, Object... parameters)
      throws SQLException {
    return Statements.list(
            connection, reader, "SELECT * FROM " + name + " WHERE " + condition, parameters)
        .stream()
        .findFirst();
  }

  /** The row with exactly this id. MySQL ignores blanks at the end of a text it compares. */
  Optional<T> byId(Connection connection, String key) throws SQLException {
    return find(connection, "id = ?", key).filter(value -> id.apply(value).equals(key));
  }
}
