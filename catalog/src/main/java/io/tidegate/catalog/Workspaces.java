package io.tidegate.catalog;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of workspaces, and their edits. */
final class Workspaces {

  /** The actor of edits from the command line: anyone with access to the database. */
  static final String OPERATOR = "operator";

  static final CatalogTable<Workspace> TABLE = new CatalogTable<>(
      "workspaces",
      "ws_",
      Workspace::id,
      row -> new Workspace(
          row.getString("id"),
          row.getString("name"),
          row.getBoolean("enabled"),
          Statements.nullableLong(row, "requests_per_minute"),
          row.getLong("version")));

  private Workspaces() {}

  static Workspace create(CatalogEdit edit, String name, @Nullable Long requestsPerMinute)
      throws SQLException {
    Workspace workspace = edit.insert(
        TABLE,
        "name, enabled, requests_per_minute, created_at_m",
        name,
        true,
        requestsPerMinute,
        edit.nowMillis());
    edit.record(workspace.id(), "workspace.create", OPERATOR, workspace.id());
    return workspace;
  }

  static Optional<Workspace> update(
      CatalogEdit edit, String id, String assignment, @Nullable Object value) throws SQLException {
    if (edit.byId(TABLE, id).isEmpty()) {
      return Optional.empty();
    }
    edit.record(id, "workspace.update", OPERATOR, id);
    return Optional.of(edit.update(TABLE, id, assignment, value));
  }

  static Optional<Workspace> oldest(CatalogEdit edit) throws SQLException {
    return edit.find(TABLE, "version > 0 ORDER BY created_at_m, id LIMIT 1");
  }

  static void checkExists(CatalogEdit edit, String id) throws SQLException {
    if (edit.byId(TABLE, id).isEmpty()) {
      throw new IllegalArgumentException("no workspace has this id: " + id);
    }
  }
}
