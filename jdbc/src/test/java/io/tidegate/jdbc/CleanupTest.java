package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.MariaDbServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CleanupTest {

  private static MariaDbServer server;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    Fleet.makeTable(server);
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

  private int run(String... arguments) {
    return CleanupCommand.run(
        List.of(arguments),
        null,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void commandDeletesWhatHasExpiredInBatches() {
    long now = System.currentTimeMillis();
    Fleet.insert(server, 60_000, now - 3_600_000);
    Fleet.insert(server, 2, now - 1_000); // a node whose clock is behind may still need them
    Fleet.insert(server, 2, now + 3_600_000);
    assertThat(run("--jdbc-url", server.jdbcUrl())).isZero();
    assertThat(out()).isEqualTo("deleted 60000 expired rows of ratelimit_window_counts\n");
    assertThat(err().lines())
        .containsExactly(
            "tidegate cleanup: 25000 rows deleted so far",
            "tidegate cleanup: 50000 rows deleted so far",
            "tidegate cleanup: 60000 rows deleted so far");
    assertThat(rows()).isEqualTo(4);
  }

  @Test
  void regionsThatAreGoneForThirtyDaysAreDeleted() {
    long day = 24 * 3_600_000;
    server.execute("INSERT INTO ratelimit_regions VALUES ('eu', 'gone', 5, "
        + (System.currentTimeMillis() - 31 * day) + "), ('eu', 'quiet', 6, "
        + (System.currentTimeMillis() - 29 * day) + ")");
    assertThat(run("--jdbc-url", server.jdbcUrl())).isZero();
    assertThat(server.query("SELECT identity FROM ratelimit_regions"))
        .containsExactly(List.of("quiet"));
  }

  /** As before the first node of a new release has started. */
  @Test
  void tablesOfTheFirstVersionAreCleaned() {
    Fleet.insert(server, 5, System.currentTimeMillis() - 3_600_000);
    server.execute("RENAME TABLE ratelimit_regions TO regions_elsewhere");
    try {
      assertThat(run("--jdbc-url", server.jdbcUrl())).isZero();
    } finally {
      server.execute("RENAME TABLE regions_elsewhere TO ratelimit_regions");
    }
    assertThat(rows()).isZero();
  }

  @Test
  void commandSaysWhatItWants() {
    assertThat(run("--help")).isZero();
    assertThat(out()).startsWith("Usage: tidegate cleanup --jdbc-url URL");
    assertThat(run()).isEqualTo(2);
    assertThat(err()).startsWith("tidegate cleanup: --jdbc-url is missing\nUsage: ");
    assertThat(run("--jdbc-url")).isEqualTo(2);
    assertThat(run("--fast")).isEqualTo(2);
    assertThat(err()).contains("unknown option: --fast");
    assertThat(run("--jdbc-url", "jdbc:oracle:thin")).isEqualTo(2);
    assertThat(err()).contains("no JDBC driver takes this URL");
  }

  @Test
  void commandSaysThatTheDatabaseIsNotThere() {
    assertThat(run("--jdbc-url", "jdbc:mariadb://127.0.0.1:1/tidegate?password=secret"))
        .isEqualTo(1);
    assertThat(err())
        .contains("tidegate cleanup: jdbc:mariadb://... failed: ")
        .contains("refused")
        .doesNotContain("secret");
  }

  @Test
  void nodesCleanUpByThemselves() {
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
