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
              + " expires_at, updated_at FROM ratelimit_window_counts LIMIT 0"));

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
