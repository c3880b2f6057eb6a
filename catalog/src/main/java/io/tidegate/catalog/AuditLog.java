package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Reads of the audit log, which {@link CatalogEdit#record} writes. */
final class AuditLog {

  /** The index {@code audit_log_workspace} has all columns that choose and order the entries. */
  static final String NEWEST =
      "SELECT id FROM audit_log WHERE at_m >= ? ORDER BY at_m DESC, id DESC LIMIT ?";

  static final String NEWEST_OF_WORKSPACE = "SELECT id FROM audit_log"
      + " WHERE workspace_id = ? AND at_m >= ? ORDER BY at_m DESC, id DESC LIMIT ?";

  private AuditLog() {}

  static List<AuditEntry> newest(Connection connection, long sinceMillis, int maxEntries)
      throws SQLException {
    return Statements.list(connection, AuditLog::read, withNames(NEWEST), sinceMillis, maxEntries);
  }

  static List<AuditEntry> newestOfWorkspace(
      Connection connection, String workspaceId, long sinceMillis, int maxEntries)
      throws SQLException {
    return Statements.list(
        connection,
        AuditLog::read,
        withNames(NEWEST_OF_WORKSPACE),
        workspaceId,
        sinceMillis,
        maxEntries);
  }

  /** Joins after the limit, so that only the names of the returned entries are read. */
  private static String withNames(String newest) {
    return "SELECT entry.at_m, entry.workspace_id, entry.event, entry.actor, entry.target,"
        + " entry.version, actor_key.name AS actor_name, override_namespace.name AS namespace_name,"
        + " COALESCE(override.identifier, namespace.name, root_key.name, workspace.name)"
        + " AS target_name"
        + " FROM (" + newest + ") newest"
        + " JOIN audit_log entry ON entry.id = newest.id"
        + " LEFT JOIN root_keys actor_key ON actor_key.id = entry.actor"
        + " LEFT JOIN workspaces workspace ON workspace.id = entry.target"
        + " LEFT JOIN root_keys root_key ON root_key.id = entry.target"
        + " LEFT JOIN ratelimit_namespaces namespace ON namespace.id = entry.target"
        + " LEFT JOIN ratelimit_overrides override ON override.id = entry.target"
        + " LEFT JOIN ratelimit_namespaces override_namespace"
        + " ON override_namespace.id = override.namespace_id"
        + " ORDER BY entry.at_m DESC, entry.id DESC";
  }

  private static AuditEntry read(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getLong("at_m"),
        row.getString("workspace_id"),
        row.getString("event"),
        row.getString("actor"),
        row.getString("actor_name"),
        row.getString("target"),
        row.getString("target_name"),
        row.getString("namespace_name"),
        row.getLong("version"));
  }
}
