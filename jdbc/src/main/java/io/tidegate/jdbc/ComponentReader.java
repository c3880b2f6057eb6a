package io.tidegate.jdbc;

import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads the components that have changed since an earlier read. Used by the pull thread only.
 *
 * <p>A row has the time at which its statement began, and becomes visible when the statement ends.
 * Each pull therefore reads again what changed shortly before the mark of the pull before. What
 * took longer than this overlap is found by the next pull of everything.
 */
final class ComponentReader {

  /** A statement usually takes milliseconds. An overlap of a second would read every row twice. */
  private static final long MIN_OVERLAP_MILLIS = 500;

  /** Bounds the overlap while pushes are slow. */
  private static final long MAX_OVERLAP_MILLIS = 10_000;

  /** After this number of pulls without a change, the last changes are not read again. */
  private static final int MAX_QUIET_PULLS = 10;

  /** Rows that the driver fetches at a time: few enough to keep the memory small. */
  private static final int FETCH_SIZE = 1_000;

  private final Connections connections;
  private final LongSupplier recentPushMillis;
  private final RowWarning invalidRows =
      new RowWarning("Ignored {0} rows of ratelimit_window_counts: a value is out of range");
  private int quietPulls;

  /**
   * A reader.
   *
   * @param recentPushMillis how long recent pushes of this node took, as an estimate for all nodes
   */
  ComponentReader(Connections connections, LongSupplier recentPushMillis) {
    this.connections = connections;
    this.recentPushMillis = recentPushMillis;
  }

  /** As {@link GlobalCounters#pull}. */
  long read(long since, long nowMillis, Consumer<Component> each) throws SQLException {
    return connections.use(connection -> {
      long next = mark(connection, since);
      try (PreparedStatement statement = connection.prepareStatement(Sql.PULL)) {
        statement.setFetchSize(FETCH_SIZE);
        statement.setLong(1, startMillis(since, next));
        statement.setLong(2, nowMillis);
        try (ResultSet rows = statement.executeQuery()) {
          read(rows, each);
        }
      }
      return next;
    });
  }

  /**
   * Returns where the next pull begins: at the newest change before this pull. The time of the
   * database would not do, because on a replica the newest change is older.
   */
  private static long mark(Connection connection, long since) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(Sql.MARK)) {
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
    long overlap =
        Math.min(MAX_OVERLAP_MILLIS, MIN_OVERLAP_MILLIS + 2 * recentPushMillis.getAsLong());
    return quietPulls > MAX_QUIET_PULLS ? since + 1 : since - overlap;
  }

  private void read(ResultSet rows, Consumer<Component> each) throws SQLException {
    int invalid = 0;
    String example = "";
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
    if (invalid > 0) {
      invalidRows.log(invalid, example);
    }
  }
}
