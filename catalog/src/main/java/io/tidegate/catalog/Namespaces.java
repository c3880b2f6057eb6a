package io.tidegate.catalog;

import java.sql.SQLException;
import java.util.Optional;

/** The rows of namespaces, and their edits. */
final class Namespaces {

  static final CatalogTable<Namespace> TABLE = new CatalogTable<>(
      "ratelimit_namespaces",
      "rlns_",
      Namespace::id,
      row -> new Namespace(
          row.getString("id"),
          row.getString("workspace_id"),
          row.getString("name"),
          Statements.nullableLong(row, "deleted_at_m") != null,
          row.getLong("created_at_m"),
          row.getLong("version")));

  private Namespaces() {}

  static Namespace create(CatalogEdit edit, String workspaceId, String name, String actor)
      throws SQLException {
    Workspaces.checkExists(edit, workspaceId);
    byte[] hash = Sha256.of(name);
    Optional<Namespace> found =
        edit.find(TABLE, "workspace_id = ? AND name_hash = ?", workspaceId, hash);
    if (found.isPresent()) {
      return found.get();
    }
    Namespace namespace = edit.insert(
        TABLE,
        "workspace_id, name, name_hash, created_at_m",
        workspaceId,
        name,
        hash,
        edit.nowMillis());
    edit.record(workspaceId, "ratelimitNamespace.create", actor, namespace.id());
    return namespace;
  }

  static Optional<Namespace> delete(CatalogEdit edit, String id, String actor) throws SQLException {
    Optional<Namespace> found = edit.byId(TABLE, id);
    if (found.isEmpty() || found.get().deleted()) {
      return found;
    }
    edit.record(found.get().workspaceId(), "ratelimitNamespace.delete", actor, id);
    return Optional.of(edit.update(TABLE, id, "deleted_at_m = ?", edit.nowMillis()));
  }

  static Optional<Namespace> restore(CatalogEdit edit, String id, String actor)
      throws SQLException {
    Optional<Namespace> found = edit.byId(TABLE, id);
    if (found.isEmpty() || !found.get().deleted()) {
      return found;
    }
    edit.record(found.get().workspaceId(), "ratelimitNamespace.restore", actor, id);
    return Optional.of(edit.update(TABLE, id, "deleted_at_m = NULL"));
  }

  static Namespace get(CatalogEdit edit, String id) throws SQLException {
    return edit.byId(TABLE, id)
        .orElseThrow(() -> new IllegalArgumentException("no namespace has this id: " + id));
  }
}
