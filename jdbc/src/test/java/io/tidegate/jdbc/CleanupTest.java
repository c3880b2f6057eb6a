package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.testkit.MariaDbServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CleanupTest {

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    Fleet.createTables(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.execute("DELETE FROM ratelimit_window_counts");
  }

  private static long rows() {
    return Long.parseLong(
        server.query("SELECT COUNT(*) FROM ratelimit_window_counts").get(0).get(0));
  }

  @Test
  void deletesExpiredRowsInBatches() throws SQLException {
    long now = System.currentTimeMillis();
    Fleet.insert(server, 60_000, now - 3_600_000);
    Fleet.insert(server, 2, now - 1_000); // a node whose clock is behind may still need them
    Fleet.insert(server, 2, now + 3_600_000);
    List<Long> progress = new ArrayList<>();
    assertThat(JdbcGlobalCounters.cleanUp(server.jdbcUrl(), null, null, progress::add))
        .isEqualTo(60_000);
    assertThat(progress).containsExactly(25_000L, 50_000L, 60_000L);
    assertThat(rows()).isEqualTo(4);
  }

  @Test
  void regionsWithoutAnnouncementForThirtyDaysAreDeleted() throws SQLException {
    long day = 24 * 3_600_000;
    server.execute("INSERT INTO ratelimit_regions VALUES ('eu', 'stale', 5, "
        + (System.currentTimeMillis() - 31 * day) + "), ('eu', 'quiet', 6, "
        + (System.currentTimeMillis() - 29 * day) + ")");
    JdbcGlobalCounters.cleanUp(server.jdbcUrl(), null, null, rows -> {});
    assertThat(server.query("SELECT identity FROM ratelimit_regions"))
        .containsExactly(List.of("quiet"));
  }

  /** The first node of a new release has not upgraded the tables yet. */
  @Test
  void tablesOfTheFirstVersionAreCleaned() throws SQLException {
    Fleet.insert(server, 5, System.currentTimeMillis() - 3_600_000);
    server.execute("RENAME TABLE ratelimit_regions TO regions_elsewhere");
    try {
      JdbcGlobalCounters.cleanUp(server.jdbcUrl(), null, null, rows -> {});
    } finally {
      server.execute("RENAME TABLE regions_elsewhere TO ratelimit_regions");
    }
    assertThat(rows()).isZero();
  }

  @Test
  void urlWithoutDriverIsRejected() {
    assertThatThrownBy(() -> JdbcGlobalCounters.cleanUp("jdbc:oracle:thin", null, null, rows -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no JDBC driver accepts this URL");
  }

  @Test
  void nodesCleanUpAutomatically() {
    Fleet.insert(server, 5, System.currentTimeMillis() - 3_600_000);
    Fleet.insert(server, 2, System.currentTimeMillis() + 3_600_000);
    JdbcGlobalCounters counters = JdbcGlobalCounters.builder(server.jdbcUrl())
        .cleanupEvery(Duration.ofSeconds(1))
        .connect();
    try {
      Fleet.await("the cleanup", () -> rows() == 2);
      Fleet.insert(server, 5, System.currentTimeMillis() - 7_200_000);
      Fleet.await("the next cleanup", () -> rows() == 2);
    } finally {
      counters.close();
    }
  }
}
