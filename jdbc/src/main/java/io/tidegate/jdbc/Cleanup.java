package io.tidegate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/**
 * Deletes the rows that weigh on no decision any more, in batches, so that no other statement waits
 * for long. Several may run at once.
 */
final class Cleanup {

  /** As the statement says. */
  static final int BATCH = 25_000;

  private Cleanup() {}

  /**
   * Deletes what has expired.
   *
   * @param mostBatches when to leave the rest for the next time
   * @param progress is told how many rows are gone so far, after each batch
   * @return how many rows were deleted
   */
  static long run(DataSource database, int mostBatches, LongConsumer progress) throws SQLException {
    long deleted = 0;
    int last = BATCH;
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (int batch = 0; batch < mostBatches && last == BATCH; batch++) {
        last = statement.executeUpdate(Sql.CLEANUP);
        deleted += last;
        progress.accept(deleted);
      }
    }
    return deleted;
  }
}
