package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a pull reads a second time. The last change was 10 s ago, so that clocks do not matter. */
class PullOverlapTest {

  private static final long NEWEST = System.currentTimeMillis() - 10_000;

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

  /** Stores changes of region us: now, and 90, 110, 190 and 700 ms before. */
  @BeforeEach
  void store() {
    server.execute("DELETE FROM ratelimit_window_counts");
    try (JdbcGlobalCounters us = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      for (int age : List.of(0, 90, 110, 190, 700)) {
        push(us, component("us", "changed_" + age));
        server.execute("UPDATE ratelimit_window_counts SET updated_at = " + (NEWEST - age)
            + " WHERE identifier = 'changed_" + age + "'");
      }
    }
  }

  private static Component component(String region, String identifier) {
    Series series = new Series(Fleet.SCOPE, identifier);
    return new Component(region, WindowCell.at(series, System.currentTimeMillis()), 1);
  }

  private static void push(JdbcGlobalCounters counters, Component component) {
    counters.push(List.of(component)).toCompletableFuture().join();
    server.execute("UPDATE ratelimit_window_counts SET updated_at = " + (NEWEST - 60_000)
        + " WHERE region = '" + component.region() + "' AND identifier = '"
        + component.cell().series().identifier() + "'");
  }

  private static long pull(JdbcGlobalCounters eu, long since, List<String> identifiers) {
    return eu.pull(
            "eu",
            since,
            0,
            component -> identifiers.add(component.cell().series().identifier()))
        .toCompletableFuture()
        .join();
  }

  /** Returns what the second of two pulls reads. */
  private static List<String> readAgain(JdbcGlobalCounters eu) {
    List<String> all = new ArrayList<>();
    long mark = pull(eu, GlobalCounters.EVERYTHING, all);
    assertThat(mark).isEqualTo(NEWEST);
    assertThat(all).hasSize(5);
    List<String> again = new ArrayList<>();
    pull(eu, mark, again);
    return again;
  }

  @Test
  void nodeThatDoesNotPushReadsATenthOfASecondAgain() {
    try (JdbcGlobalCounters eu = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      assertThat(readAgain(eu)).containsExactlyInAnyOrder("changed_0", "changed_90");
    }
  }

  @Test
  void nodeWhosePushesAreSlowReadsMoreAgain() {
    try (JdbcGlobalCounters eu = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      push(eu, component("eu", "warm"));
      server.execute("CREATE TRIGGER tidegate.slow BEFORE INSERT ON ratelimit_window_counts"
          + " FOR EACH ROW SET @ignored = SLEEP(0.4)");
      push(eu, component("eu", "slow"));
      server.execute("DROP TRIGGER tidegate.slow");
      assertThat(readAgain(eu)).hasSize(5);
    }
  }

  /** The network takes 600 ms of each push, the database a few milliseconds. */
  @Test
  void distanceOfTheDatabaseDoesNotCount() {
    try (TcpProxy proxy = TcpProxy.start(server.port());
        JdbcGlobalCounters eu = JdbcGlobalCounters.connect(
            server.jdbcUrl().replace(":" + server.port(), ":" + proxy.port()))) {
      push(eu, component("eu", "warm"));
      proxy.latency(Duration.ofMillis(300));
      pull(eu, GlobalCounters.EVERYTHING, new ArrayList<>());
      push(eu, component("eu", "far"));
      assertThat(readAgain(eu)).contains("changed_0", "changed_90").doesNotContain("changed_700");
    }
  }
}
