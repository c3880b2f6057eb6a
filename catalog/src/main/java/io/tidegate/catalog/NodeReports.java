package io.tidegate.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What nodes report about themselves, one row each. Only MySQL and MariaDB have these rows: a
 * catalog in a file has one node. Decisions do not depend on them.
 *
 * <p>Any thread may call. Calls block, and throw an {@link SQLException} if the database is
 * unavailable or has no table of reports.
 */
public final class NodeReports {

  /** Milliseconds since 1970 by the clock of the database: the clocks of nodes may differ. */
  private static final String NOW =
      "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

  /** The row that says when someone last looked at the reports; no node has this name. */
  private static final String WATCH = "";

  private final CatalogDatabase database;

  NodeReports(CatalogDatabase database) {
    this.database = database;
  }

  /**
   * Stores the report of a node, in place of its last one.
   *
   * @param node the name of the node, at most 320 characters
   * @param region the region of the node
   * @param content the report
   */
  public void put(String node, String region, String content) throws SQLException {
    update(
        "INSERT INTO tidegate_nodes (node, region, report, reported_at) VALUES (?, ?, ?, " + NOW
            + ") ON DUPLICATE KEY UPDATE region = VALUES(region), report = VALUES(report),"
            + " reported_at = VALUES(reported_at)",
        node,
        region,
        content);
  }

  /** The last report of every node, by region and name. */
  public List<NodeReport> list() throws SQLException {
    return database.read(connection -> Statements.list(
        connection,
        row -> new NodeReport(
            row.getString("node"),
            row.getString("region"),
            row.getString("report"),
            Math.max(0, row.getLong("age"))),
        "SELECT node, region, report, " + NOW
            + " - reported_at AS age FROM tidegate_nodes WHERE node <> ? ORDER BY region, node",
        WATCH));
  }

  /** Removes the report of a node that has stopped. */
  public void remove(String node) throws SQLException {
    update("DELETE FROM tidegate_nodes WHERE node = ?", node);
  }

  /**
   * Removes the reports of nodes that have not reported for a time.
   *
   * @return the number of removed rows
   */
  public int removeOlderThan(Duration age) throws SQLException {
    return update("DELETE FROM tidegate_nodes WHERE reported_at < " + NOW + " - ?", age.toMillis());
  }

  /** Notes that someone looks at the reports, so that nodes report more often. */
  public void watch() throws SQLException {
    put(WATCH, "", "");
  }

  /** Whether someone has looked at the reports within a time. */
  public boolean isWatched(Duration within) throws SQLException {
    return !database
        .read((Connection connection) -> Statements.list(
            connection,
            row -> row.getLong("reported_at"),
            "SELECT reported_at FROM tidegate_nodes WHERE node = ? AND reported_at > " + NOW
                + " - ?",
            WATCH,
            within.toMillis()))
        .isEmpty();
  }

  private int update(String sql, @Nullable Object... parameters) throws SQLException {
    return database.read(connection -> Statements.update(connection, sql, parameters));
  }
}
