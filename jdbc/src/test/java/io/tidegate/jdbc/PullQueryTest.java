package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rows that pulls read, in a table of 20,000 rows of ten regions. */
class PullQueryTest {

  private static final int REGIONS = 10;

  /** The rows of a region; one of ten has changed recently. */
  private static final int ROWS = 2_000;

  private static final long CHANGED = 1_000_000;

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    Fleet.createTables(server);
    Fleet.insert(server, REGIONS * ROWS, System.currentTimeMillis() + 3_600_000);
    server.execute("UPDATE ratelimit_window_counts SET region = CONCAT('region_', identifier MOD "
        + REGIONS + "), updated_at = IF(identifier >= " + REGIONS * ROWS * 9 / 10 + ", " + CHANGED
        + ", 1)");
    server.execute("ANALYZE TABLE ratelimit_window_counts");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Runs EXPLAIN for a pull and returns the name of the index. */
  private static String indexOf(String sql, Object first) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        PreparedStatement statement = connection.prepareStatement("EXPLAIN " + sql)) {
      statement.setObject(1, first);
      statement.setLong(2, System.currentTimeMillis());
      statement.setBytes(3, "region_3".getBytes(StandardCharsets.UTF_8));
      try (ResultSet plan = statement.executeQuery()) {
        plan.next();
        return String.valueOf(plan.getString("key"));
      }
    }
  }

  @Test
  void pullOfTheOwnRegionUsesItsIndex() throws SQLException {
    assertThat(indexOf(Sql.PULL_OWN, "region_3")).isEqualTo("region_idx");
  }

  @Test
  void pullOfChangesUsesTheIndexOfChanges() throws SQLException {
    assertThat(indexOf(Sql.PULL, CHANGED)).isEqualTo("updated_at_idx");
  }

  @Test
  void pullOfTheOwnRegionReadsOnlyItsRows() {
    long before = rowsRead();
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(server.jdbcUrl()).withoutCleanup().connect()) {
      List<Component> own = new ArrayList<>();
      counters
          .pullOwn("region_3", System.currentTimeMillis(), own::add)
          .toCompletableFuture()
          .join();
      assertThat(own).hasSize(ROWS);
    }
    assertThat(rowsRead() - before).isBetween((long) ROWS, ROWS + 500L);
  }

  @Test
  void pullOfChangesReadsOnlyChangedRows() {
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(server.jdbcUrl()).withoutCleanup().connect()) {
      List<Component> all = new ArrayList<>();
      long now = System.currentTimeMillis();
      long since = counters
          .pull("region_3", GlobalCounters.EVERYTHING, now, all::add)
          .toCompletableFuture()
          .join();
      assertThat(since).isEqualTo(CHANGED);
      assertThat(all).hasSize((REGIONS - 1) * ROWS);
      long before = rowsRead();
      List<Component> changed = new ArrayList<>();
      counters.pull("region_3", since, now, changed::add).toCompletableFuture().join();
      assertThat(changed).hasSize((REGIONS - 1) * ROWS / 10);
      assertThat(rowsRead() - before).isBetween(REGIONS * ROWS / 10L, REGIONS * ROWS / 10L + 500);
    }
  }

  /** One entry of the index for each region, and then the rows of a cell by their keys. */
  @Test
  void inspectionReadsAFewRows() {
    Component pushed = new Component(
        "region_3", WindowCell.at(new Series(new Scope("a", "b", 60_000), "c"), 0), 7);
    try (JdbcGlobalCounters counters =
        JdbcGlobalCounters.builder(server.jdbcUrl()).withoutCleanup().connect()) {
      counters.push(List.of(pushed)).toCompletableFuture().join();
      counters.components(pushed.cell()).toCompletableFuture().join(); // connects
      long before = rowsRead();
      assertThat(counters.components(pushed.cell()).toCompletableFuture().join())
          .containsExactly(pushed);
      // Trailing blanks: some forty keys of each region are looked up.
      assertThat(rowsRead() - before).isBetween(10L, 1_000L);
    } finally {
      server.execute("DELETE FROM ratelimit_window_counts WHERE workspace_id = 'a'");
    }
  }

  @Test
  void inspectionUsesIndexes() throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        PreparedStatement regions = connection.prepareStatement("EXPLAIN " + Sql.COUNTING_REGIONS);
        PreparedStatement rows = connection.prepareStatement("EXPLAIN " + Sql.components(400))) {
      try (ResultSet plan = regions.executeQuery()) {
        plan.next();
        assertThat(plan.getString("key")).isEqualTo("region_idx");
        assertThat(plan.getString("Extra")).contains("Using index for group-by");
      }
      for (int i = 1; i <= 400; i++) {
        rows.setBytes(i, ByteBuffer.allocate(16).putInt(i).array());
      }
      try (ResultSet plan = rows.executeQuery()) {
        plan.next();
        assertThat(plan.getString("key")).isEqualTo("PRIMARY");
      }
    }
  }

  private static long rowsRead() {
    return server
        .query(
            "SHOW GLOBAL STATUS WHERE Variable_name IN ('Handler_read_first', 'Handler_read_key',"
                + " 'Handler_read_next', 'Handler_read_rnd', 'Handler_read_rnd_next')")
        .stream()
        .mapToLong(row -> Long.parseLong(row.get(1)))
        .sum();
  }
}
