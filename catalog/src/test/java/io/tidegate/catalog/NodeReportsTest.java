package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidegate.testkit.MariaDbServer;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeReportsTest {

  private static MariaDbServer server;

  private Catalog catalog;
  private NodeReports reports;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() throws SQLException {
    catalog = Catalog.open(server.jdbcUrl(), null, null, true);
    reports = catalog.nodeReports();
    reports.removeOlderThan(Duration.ofDays(-1)); // all of them
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  @Test
  void keepsTheLastReportOfEachNode() throws SQLException {
    reports.put("b", "us", "old");
    reports.put("a", "us", "one");
    reports.put("c", "eu", "\u00e4\ud83c\udf0a");
    reports.put("b", "us", "new");
    assertThat(reports.list())
        .extracting(NodeReport::node, NodeReport::region, NodeReport::content)
        .containsExactly(
            tuple("c", "eu", "\u00e4\ud83c\udf0a"),
            tuple("a", "us", "one"),
            tuple("b", "us", "new"));
    assertThat(reports.list()).allMatch(report -> report.ageMillis() < 60_000);
  }

  @Test
  void ageIsThatOfTheDatabase() throws SQLException {
    reports.put("a", "eu", "");
    server.execute("UPDATE tidegate_nodes SET reported_at = reported_at - 20000");
    assertThat(reports.list().get(0).ageMillis()).isBetween(20_000L, 80_000L);
    assertThat(reports.removeOlderThan(Duration.ofHours(1))).isZero();
    assertThat(reports.removeOlderThan(Duration.ofSeconds(10))).isEqualTo(1);
    assertThat(reports.list()).isEmpty();
  }

  @Test
  void removesOneNode() throws SQLException {
    reports.put("a", "eu", "");
    reports.put("b", "eu", "");
    reports.remove("a");
    assertThat(reports.list()).extracting(NodeReport::node).containsExactly("b");
  }

  @Test
  void watchEndsAfterATime() throws SQLException {
    assertThat(reports.isWatched(Duration.ofMinutes(1))).isFalse();
    reports.watch();
    assertThat(reports.isWatched(Duration.ofMinutes(1))).isTrue();
    server.execute("UPDATE tidegate_nodes SET reported_at = reported_at - 120000");
    assertThat(reports.isWatched(Duration.ofMinutes(1))).isFalse();
    assertThat(reports.list()).isEmpty();
  }

  /** Operators who create the tables themselves may not have run the script yet. */
  @Test
  void catalogWorksWithoutTheTable() throws SQLException {
    server.execute("DROP TABLE tidegate_nodes");
    try (Catalog unmigrated = Catalog.open(server.jdbcUrl(), null, null, false)) {
      assertThat(unmigrated.changesSince(0).version()).isNotNegative();
      assertThatThrownBy(() -> unmigrated.nodeReports().list()).isInstanceOf(SQLException.class);
    } finally {
      server.execute("DELETE FROM tidegate_catalog_history WHERE version = '2'");
    }
  }
}
