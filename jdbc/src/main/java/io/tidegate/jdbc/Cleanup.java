package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Deletes expired rows in batches, and regions without a recent announcement.
 *
 * <p>Several cleanups and pushes may run at once. Rows are selected without locks and deleted by
 * primary key, in key order like pushes. A single DELETE with a condition would also lock live
 * rows, in the order of another index, and deadlock with pushes.
 */
final class Cleanup {

  /** The limit in {@code expired.sql}. */
  static final int BATCH = 25_000;

  /** Rows per statement: their locks last some milliseconds. */
  private static final int STATEMENT_ROWS = 1_000;

  private Cleanup() {}

  /**
   * Deletes expired rows.
   *
   * @param maxBatches maximum number of batches; the rest is left for the next run
   * @param progress receives the number of rows deleted so far, after each batch
   * @return the number of rows deleted
   */
  static long run(Connections connections, int maxBatches, LongConsumer progress)
      throws SQLException {
    return connections.use(connection -> {
      long deleted = 0;
      List<byte[]> expired;
      int batch = 0;
      do {
        expired = expired(connection);
        for (int from = 0; from < expired.size(); from += STATEMENT_ROWS) {
          int to = Math.min(from + STATEMENT_ROWS, expired.size());
          deleted += delete(connection, expired.subList(from, to));
        }
        progress.accept(deleted);
        batch++;
      } while (expired.size() == BATCH && batch < maxBatches);
      deleteRegions(connection);
      return deleted;
    });
  }

  /** Deletes regions without an announcement for 30 days: a few rows, if any. */
  private static void deleteRegions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(Sql.EXPIRED_REGIONS);
    } catch (SQLException e) {
      if (!SqlFailures.isAboutTables(e)) {
        throw e;
      }
      // The cleanup command may run before a node of this release has upgraded the tables.
    }
  }

  private static List<byte[]> expired(Connection connection) throws SQLException {
    List<byte[]> keys = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(Sql.EXPIRED)) {
      while (row.next()) {
        keys.add(row.getBytes(1));
      }
    }
    return keys;
  }

  private static int delete(Connection connection, List<byte[]> keys) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Sql.delete(keys.size()))) {
      for (int i = 0; i < keys.size(); i++) {
        statement.setBytes(i + 1, keys.get(i));
      }
      return statement.executeUpdate();
    }
  }
}
