package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The rows of node reports, which only MySQL and MariaDB have: a file has one node. */
final class NodeReports {

  /** Milliseconds since 1970 by the clock of the database: the clocks of nodes may differ. */
  private static final String NOW =
      "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

  /** The node of the row that says when someone last looked at the fleet; no node has this name. */
  private static final String WATCH = "";

  private NodeReports() {}

  static void put(Connection connection, String node, String region, String content)
      throws SQLException {
    Statements.update(
        connection,
        "INSERT INTO tidegate_nodes (node, region, report, reported_at) VALUES (?, ?, ?, " + NOW
            + ") ON DUPLICATE KEY UPDATE region = VALUES(region), report = VALUES(report),"
            + " reported_at = VALUES(reported_at)",
        node,
        region,
        content);
  }

  static List<NodeReport> list(Connection connection) throws SQLException {
    return Statements.list(
        connection,
        row -> new NodeReport(
            row.getString("node"),
            row.getString("region"),
            row.getString("report"),
            Math.max(0, row.getLong("age"))),
        "SELECT node, region, report, " + NOW
            + " - reported_at AS age FROM tidegate_nodes WHERE node <> '' ORDER BY region, node");
  }

  static void watch(Connection connection) throws SQLException {
    put(connection, WATCH, "", "");
  }

  static boolean isWatched(Connection connection, Duration within) throws SQLException {
    return !Statements.list(
            connection,
            row -> row.getLong("reported_at"),
            "SELECT reported_at FROM tidegate_nodes WHERE node = '' AND reported_at > " + NOW
                + " - ?",
            within.toMillis())
        .isEmpty();
  }

  static void remove(Connection connection, String node) throws SQLException {
    Statements.update(connection, "DELETE FROM tidegate_nodes WHERE node = ?", node);
  }

  static int removeOlderThan(Connection connection, Duration age) throws SQLException {
    return Statements.update(
        connection,
        "DELETE FROM tidegate_nodes WHERE reported_at < " + NOW + " - ?",
        age.toMillis());
  }
}
