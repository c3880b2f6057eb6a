package io.tidegate.jdbc;

import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

/**
 * Reads components: those of other regions that have changed since an earlier read, or those of the
 * own region. Used by the pull thread only.
 *
 * <p>Each read of changes repeats what changed within the {@link Overlap} before the mark of the
 * read before. Rows of statements that took longer are found by the next pull of everything.
 */
final class ComponentReader {

  /** After this number of pulls without a change, the last changes are not read again. */
  private static final int MAX_QUIET_PULLS = 10;

  /** Rows that the driver fetches at a time: few enough to keep the memory small. */
  private static final int FETCH_SIZE = 1_000;

  private final Connections connections;
  private final Overlap overlap;
  private final RowWarning invalidRows =
      new RowWarning("Ignored {0} rows of ratelimit_window_counts: a value is out of range");
  private int quietPulls;

  ComponentReader(Connections connections, Overlap overlap) {
    this.connections = connections;
    this.overlap = overlap;
  }

  /** As {@link GlobalCounters#pull}. */
  long readOthers(String region, long since, long nowMillis, Consumer<Component> each)
      throws SQLException {
    return connections.use(connection -> {
      long next = mark(connection, since);
      try (PreparedStatement statement = connection.prepareStatement(Sql.PULL)) {
        statement.setLong(1, startMillis(since, next));
        statement.setLong(2, nowMillis);
        statement.setBytes(3, region.getBytes(StandardCharsets.UTF_8));
        read(statement, each);
      }
      return next;
    });
  }

  /** As {@link GlobalCounters#pullOwn}. */
  void readOwn(String region, long nowMillis, Consumer<Component> each) throws SQLException {
    connections.use(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(Sql.PULL_OWN)) {
        statement.setString(1, region);
        statement.setLong(2, nowMillis);
        statement.setBytes(3, region.getBytes(StandardCharsets.UTF_8));
        read(statement, each);
      }
      return true;
    });
  }

  /**
   * Returns where the next pull begins: at the newest change before this pull. The time of the
   * database would not do, because on a replica the newest change is older.
   */
  private long mark(Connection connection, long since) throws SQLException {
    long startNanos = System.nanoTime();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(Sql.MARK)) {
      overlap.roundTripTook(System.nanoTime() - startNanos);
      row.next();
      long newest = row.getLong("newest");
      // The clock has gone back, as in a failover: changes may have been missed.
      return newest < since ? GlobalCounters.EVERYTHING : newest;
    }
  }

  private long startMillis(long since, long next) {
    if (since == GlobalCounters.EVERYTHING) {
      return 0;
    }
    quietPulls = next == since ? quietPulls + 1 : 0;
    long overlapMillis = overlap.nextMillis();
    return quietPulls > MAX_QUIET_PULLS ? since + 1 : since - overlapMillis;
  }

  private void read(PreparedStatement statement, Consumer<Component> each) throws SQLException {
    statement.setFetchSize(FETCH_SIZE);
    int invalid = 0;
    String example = "";
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Component component;
        try {
          component = CounterRow.read(rows);
        } catch (IllegalArgumentException | SQLDataException e) {
          invalid++;
          example = rows.getString("identifier") + " (" + e.getMessage() + ")";
          continue;
        }
        each.accept(component);
      }
    }
    if (invalid > 0) {
      invalidRows.log(invalid, example);
    }
  }
}
