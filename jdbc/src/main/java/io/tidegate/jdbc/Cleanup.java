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
 * Deletes the rows that weigh on no decision any more, in batches, and regions that are gone.
 * Several may run at once, and nodes may push meanwhile: rows are looked for without a lock, and
 * deleted by their keys, which the database goes through in their order, as it does when they are
 * written. A single DELETE with a condition would lock live rows as well, in whatever order it
 * finds them, and deadlock with pushes.
 */
final class Cleanup {

  /** As the statement says. */
  static final int BATCH = 25_000;

  /** Rows of one statement: milliseconds, for which others may wait. */
  private static final int STATEMENT_ROWS = 1_000;

  private Cleanup() {}

  /**
   * Deletes what has expired.
   *
   * @param mostBatches when to leave the rest for the next time
   * @param progress is told how many rows are gone so far, after each batch
   * @return how many rows were deleted
   */
  static long run(Connections connections, int mostBatches, LongConsumer progress)
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
      } while (expired.size() == BATCH && batch < mostBatches);
      deleteRegions(connection);
      return deleted;
    });
  }

  /** Deletes the regions that have not announced themselves for long: a few rows, if any. */
  private static void deleteRegions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(Sql.EXPIRED_REGIONS);
    } catch (SQLException e) {
      if (!SqlFailures.isAboutTables(e)) {
        throw e;
      }
      // The command may clean tables that no node of this release has upgraded yet.
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
