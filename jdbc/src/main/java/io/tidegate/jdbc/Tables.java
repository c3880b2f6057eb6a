package io.tidegate.jdbc;

import java.util.List;

/** Tables that are made together, and how to see whether they are there. */
enum Tables {
  COUNTS(
      "io/tidegate/jdbc/migration",
      "tidegate_schema_history",
      "1",
      "the table ratelimit_window_counts is",
      List.of(
          "SELECT pk, workspace_id, namespace, identifier, duration_ms, sequence, region, count,"
              + " expires_at, updated_at FROM ratelimit_window_counts LIMIT 0")),

  CATALOG(
      "io/tidegate/jdbc/catalog",
      "tidegate_catalog_history",
      "1",
      "the tables of the catalog are",
      List.of(
          "SELECT id, version FROM catalog_version LIMIT 0",
          "SELECT id, name, enabled, requests_per_minute, created_at_m, version"
              + " FROM workspaces LIMIT 0",
          "SELECT id, workspace_id, name, key_hash, key_start, permissions, enabled, created_at_m,"
              + " revoked_at_m, version FROM root_keys LIMIT 0",
          "SELECT id, workspace_id, name, name_hash, created_at_m, deleted_at_m, version"
              + " FROM ratelimit_namespaces LIMIT 0",
          "SELECT id, workspace_id, namespace_id, identifier, identifier_hash, limit_tokens,"
              + " duration_ms, created_at_m, updated_at_m, deleted_at_m, version"
              + " FROM ratelimit_overrides LIMIT 0",
          "SELECT id, workspace_id, event, actor, target, at_m, version FROM audit_log LIMIT 0"));

  /** Where their migrations are. */
  final String migrations;

  /** Apart from that of an application that uses Flyway in the same database. */
  final String historyTable;

  /** The newest migration. */
  final String version;

  /** What is not there, if it is not. */
  final String subject;

  /** They fail if a table or a column is missing. */
  final List<String> looks;

  Tables(
      String migrations, String historyTable, String version, String subject, List<String> looks) {
    this.migrations = migrations;
    this.historyTable = historyTable;
    this.version = version;
    this.subject = subject;
    this.looks = looks;
  }
}
