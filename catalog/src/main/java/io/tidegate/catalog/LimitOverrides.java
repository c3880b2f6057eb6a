package io.tidegate.catalog;

import java.sql.SQLException;
import java.util.Optional;

/** The rows of overrides, and their edits. */
final class LimitOverrides {

  static final CatalogTable<LimitOverride> TABLE = new CatalogTable<>(
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
          Statements.nullableLong(row, "deleted_at_m") != null,
          row.getLong("created_at_m"),
          row.getLong("updated_at_m"),
          row.getLong("version")));

  private LimitOverrides() {}

  static LimitOverride set(
      CatalogEdit edit,
      String namespaceId,
      String identifier,
      long limit,
      long durationMillis,
      String actor)
      throws SQLException {
    String workspaceId = Namespaces.get(edit, namespaceId).workspaceId();
    Optional<LimitOverride> found = find(edit, namespaceId, identifier);
    LimitOverride override = found.isPresent()
        ? edit.update(
            TABLE,
            found.get().id(),
            "limit_tokens = ?, duration_ms = ?, updated_at_m = ?, deleted_at_m = NULL",
            limit,
            durationMillis,
            edit.nowMillis())
        : edit.insert(
            TABLE,
            "workspace_id, namespace_id, identifier, identifier_hash, limit_tokens, duration_ms,"
                + " created_at_m, updated_at_m",
            workspaceId,
            namespaceId,
            identifier,
            Sha256.of(identifier),
            limit,
            durationMillis,
            edit.nowMillis(),
            edit.nowMillis());
    edit.record(workspaceId, "ratelimit.set_override", actor, override.id());
    return override;
  }

  static Optional<LimitOverride> delete(
      CatalogEdit edit, String namespaceId, String identifier, String actor) throws SQLException {
    Optional<LimitOverride> found =
        find(edit, namespaceId, identifier).filter(override -> !override.deleted());
    if (found.isEmpty()) {
      return found;
    }
    String id = found.get().id();
    edit.record(found.get().workspaceId(), "ratelimit.delete_override", actor, id);
    return Optional.of(edit.update(
        TABLE, id, "deleted_at_m = ?, updated_at_m = ?", edit.nowMillis(), edit.nowMillis()));
  }

  private static Optional<LimitOverride> find(
      CatalogEdit edit, String namespaceId, String identifier) throws SQLException {
    return edit.find(
        TABLE, "namespace_id = ? AND identifier_hash = ?", namespaceId, Sha256.of(identifier));
  }
}
