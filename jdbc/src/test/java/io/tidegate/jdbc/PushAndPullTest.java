package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pushes and pulls of limiters in several regions through a real database. */
class PushAndPullTest {

  private static MariaDbServer server;

  private final Fleet fleet = new Fleet(server.jdbcUrl());

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    Fleet.createTables(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void close() {
    fleet.close();
    server.execute("DELETE FROM ratelimit_window_counts");
  }

  private long row(String region, String identifier) {
    return Fleet.row(server, region, identifier);
  }

  @Test
  void countsReachOtherRegions() {
    RateLimiter eu = fleet.node("eu");
    RateLimiter us = fleet.node("us");
    Fleet.take(eu, "user", 10, 6);
    Fleet.await("the import", () -> Fleet.count(us, "user") == 6);
    assertThat(Fleet.take(us, "user", 10, 1).remaining()).isEqualTo(3);
    assertThat(Fleet.take(us, "user", 10, 4).allowed()).isFalse(); // 1 + 6 + 4
  }

  @Test
  void regionsOfTwoNodesConverge() {
    InMemoryOrigin euOrigin = new InMemoryOrigin();
    InMemoryOrigin usOrigin = new InMemoryOrigin();
    RateLimiter eu1 = fleet.add(fleet.builder("eu").origin(euOrigin));
    RateLimiter eu2 = fleet.add(fleet.builder("eu").origin(euOrigin));
    RateLimiter us1 = fleet.add(fleet.builder("us").origin(usOrigin));
    RateLimiter us2 = fleet.add(fleet.builder("us").origin(usOrigin));
    Fleet.take(eu1, "user", 10, 3);
    Fleet.take(eu2, "user", 10, 3);
    Fleet.await("the import", () -> Fleet.count(us1, "user") == 6 && Fleet.count(us2, "user") == 6);
    assertThat(row("eu", "user")).isEqualTo(6);
    assertThat(Fleet.take(us1, "user", 10, 2).allowed()).isTrue();
    assertThat(Fleet.take(us2, "user", 10, 2).allowed()).isTrue();
    Fleet.await("the peer's count", () -> Fleet.count(us1, "user") == 10);
    assertThat(Fleet.take(us1, "user", 10, 1).allowed()).isFalse(); // 4 + 6 + 1
  }

  @Test
  void floorPolicyHoldsBackCountsBelowTheFloor() {
    fleet.policy = PushPolicy.floor(0.2, Fleet.INTERVAL);
    RateLimiter eu = fleet.node("eu");
    Fleet.take(eu, "user", 10, 1);
    fleet.awaitExchange();
    assertThat(row("eu", "user")).isZero();
    Fleet.take(eu, "user", 10, 1);
    fleet.awaitExchange();
    assertThat(row("eu", "user")).isEqualTo(2);
  }

  @Test
  void adaptivePolicyHoldsBackTheFirstTwentieth() {
    RateLimiter eu = fleet.node("eu");
    Fleet.take(eu, "user", 100, 4);
    fleet.awaitExchange();
    assertThat(row("eu", "user")).isZero();
    Fleet.take(eu, "user", 100, 1);
    fleet.awaitExchange();
    assertThat(row("eu", "user")).isEqualTo(5);
  }

  @Test
  void nodesPushTheCountOfTheirRegion() {
    fleet.policy = PushPolicy.floor(0.2, Fleet.INTERVAL);
    InMemoryOrigin origin = new InMemoryOrigin();
    Fleet.take(fleet.add(fleet.builder("eu").origin(origin)), "user", 10, 1);
    Fleet.take(fleet.add(fleet.builder("eu").origin(origin)), "user", 10, 1);
    Fleet.await("the row", () -> row("eu", "user") == 2);
  }

  @Test
  void importedCountIsNotPushed() {
    RateLimiter eu = fleet.node("eu");
    RateLimiter us = fleet.node("us");
    Fleet.take(eu, "user", 10, 6);
    Fleet.await("the import", () -> Fleet.count(us, "user") == 6);
    fleet.awaitExchange();
    assertThat(row("us", "user")).isZero();
    Fleet.take(us, "user", 10, 1);
    Fleet.await("the row", () -> row("us", "user") == 1);
    assertThat(row("eu", "user")).isEqualTo(6);
  }

  @Test
  void rowOfTheOwnRegionRestoresItsCount() {
    RateLimiter one = fleet.add(fleet.builder("eu").origin(new InMemoryOrigin()));
    Fleet.take(one, "user", 10, 6);
    Fleet.await("the row", () -> row("eu", "user") == 6);
    fleet.awaitExchange();
    assertThat(Fleet.count(one, "user")).isEqualTo(6); // not counted twice
    InMemoryOrigin other = new InMemoryOrigin();
    RateLimiter two = fleet.add(fleet.builder("eu").origin(other));
    Fleet.await("the row in the origin", () -> other.stores().size() == 1);
    assertThat(two.stats().series()).isZero();
    // A request that might be allowed reads the origin first; a denial is certain.
    assertThat(Fleet.take(two, "user", 10, 1).source()).isEqualTo(Decision.Source.ORIGIN);
    assertThat(Fleet.take(two, "user", 10, 5).allowed()).isFalse();
  }

  @Test
  void countsOfRegionsAdd() {
    Fleet.take(fleet.node("eu"), "user", 20, 12);
    Fleet.take(fleet.node("asia"), "user", 20, 11);
    RateLimiter us = fleet.node("us");
    Fleet.await("both imports", () -> Fleet.count(us, "user") == 23);
    assertThat(Fleet.take(us, "user", 20, 1).allowed()).isFalse();
  }

  @Test
  void unchangedCountsAreNotWrittenAgain() {
    fleet.policy = PushPolicy.floor(0, Fleet.INTERVAL);
    RateLimiter eu = fleet.node("eu");
    Fleet.take(eu, "user", 10, 6);
    Fleet.await("the row", () -> row("eu", "user") == 6);
    List<List<String>> before = server.query("SELECT * FROM ratelimit_window_counts");
    fleet.awaitExchange();
    fleet.awaitExchange();
    assertThat(server.query("SELECT * FROM ratelimit_window_counts")).isEqualTo(before);
  }

  /** Another node of the region pushes the same count. */
  @Test
  void repeatedCountDoesNotChangeTheRow() {
    RateLimiter eu = fleet.node("eu");
    Fleet.take(eu, "user", 10, 6);
    Fleet.await("the row", () -> row("eu", "user") == 6);
    List<List<String>> before = server.query("SELECT * FROM ratelimit_window_counts");
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      counters
          .pull(
              "us",
              GlobalCounters.EVERYTHING,
              System.currentTimeMillis(),
              component ->
                  counters.push(List.of(component)).toCompletableFuture().join())
          .toCompletableFuture()
          .join();
    }
    assertThat(server.query("SELECT * FROM ratelimit_window_counts")).isEqualTo(before);
  }

  @Test
  void rowsHaveTheColumnsOfTheReferenceDesign() {
    RateLimiter eu = fleet.node("eu");
    Fleet.take(eu, "user", 10, 6);
    Fleet.await("the row", () -> row("eu", "user") == 6);
    long window = Fleet.SCOPE.windowMillis();
    long sequence = System.currentTimeMillis() / window;
    assertThat(server.query("SELECT workspace_id, namespace, identifier, duration_ms, sequence,"
            + " region, count, expires_at FROM ratelimit_window_counts"))
        .containsExactly(List.of(
            "acme",
            "calls",
            "user",
            Long.toString(window),
            Long.toString(sequence),
            "eu",
            "6",
            Long.toString((sequence + 2) * window)));
    long updatedAt = Long.parseLong(
        server.query("SELECT updated_at FROM ratelimit_window_counts").get(0).get(0));
    assertThat(updatedAt).isCloseTo(System.currentTimeMillis(), within(60_000L));
  }

  @Test
  void denialOfAnOversizedRequestIsNotPushed() {
    RateLimiter eu = fleet.node("eu");
    RateLimiter us = fleet.node("us");
    assertThat(Fleet.take(eu, "user", 10, 11).allowed()).isFalse();
    fleet.awaitExchange();
    assertThat(server.query("SELECT * FROM ratelimit_window_counts")).isEmpty();
    assertThat(Fleet.take(us, "user", 10, 10).allowed()).isTrue();
  }

  @Test
  void denialCausedByThePreviousWindowIsNotPushed() {
    VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:50Z"));
    Scope scope = new Scope("acme", "calls", 60_000);
    RateLimiter eu = fleet.add(fleet.builder("eu").clock(time));
    RateLimiter us = fleet.add(fleet.builder("us").clock(time));
    assertThat(eu.tryAcquire(new LimitRequest(scope, "user", 10, 8)).allowed()).isTrue();
    Fleet.await("the row", () -> row("eu", "user") == 8);
    time.advance(Duration.ofSeconds(11)); // 1 s into the next window, in which 7 of the 8 weigh
    assertThat(eu.tryAcquire(new LimitRequest(scope, "user", 10, 5)).allowed()).isFalse();
    fleet.awaitExchange();
    assertThat(server.query("SELECT count FROM ratelimit_window_counts"))
        .containsExactly(List.of("8"));
    Decision decision = us.tryAcquire(new LimitRequest(scope, "user", 10, 3));
    assertThat(decision.allowed()).isTrue(); // 3 tokens are left in both regions
    assertThat(decision.remaining()).isZero();
  }

  @Test
  void pullCreatesSeriesWithoutTraffic() {
    RateLimiter us = fleet.node("us");
    Fleet.take(fleet.node("eu"), "user", 10, 6);
    Fleet.await("the series", () -> us.stats().series() == 1);
    Fleet.await("the end of the pull", () -> fleet.created.get() == 1);
  }

  @Test
  void clocksOfRegionsCanDiffer() {
    Scope scope = new Scope("acme", "calls", 60_000);
    VirtualTime behind = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:58Z"));
    VirtualTime ahead = VirtualTime.startingAt(Instant.parse("2030-01-01T00:01:02Z"));
    RateLimiter eu = fleet.add(fleet.builder("eu").clock(behind));
    RateLimiter us = fleet.add(fleet.builder("us").clock(ahead));
    us.tryAcquire(new LimitRequest(scope, "user", 10, 6));
    Fleet.await("the row", () -> row("us", "user") == 6);
    fleet.awaitExchange();
    LimitRequest peek = new LimitRequest(scope, "user", 10, 0);
    assertThat(eu.tryAcquire(peek).effectiveCount()).isZero(); // its window has not begun here
    behind.advance(Duration.ofSeconds(3));
    Fleet.await("the import", () -> eu.tryAcquire(peek).effectiveCount() == 6);
  }

  @Test
  void pushedCountsSurviveACrashOfTheNode() {
    fleet.policy = PushPolicy.floor(0, Fleet.INTERVAL);
    RateLimiter us = fleet.node("us");
    RateLimiter crashing = fleet.node("eu");
    Fleet.take(crashing, "user", 10, 6);
    Fleet.await("the import", () -> Fleet.count(us, "user") == 6);
    RateLimiter restarted = fleet.node("eu"); // the former node is idle from now on
    Fleet.await("its former count", () -> Fleet.count(restarted, "user") == 6);
    assertThat(Fleet.take(restarted, "user", 10, 5).allowed()).isFalse();
    Fleet.take(restarted, "user", 10, 1);
    Fleet.await("the import", () -> Fleet.count(us, "user") == 7);
  }

  @Test
  void twoNodesOfOneRegionPushTheSameCell() {
    fleet.policy = PushPolicy.floor(0, Fleet.INTERVAL);
    InMemoryOrigin origin = new InMemoryOrigin();
    RateLimiter one = fleet.add(fleet.builder("eu").origin(origin));
    RateLimiter two = fleet.add(fleet.builder("eu").origin(origin));
    RateLimiter us = fleet.node("us");
    for (int i = 0; i < 200; i++) {
      Fleet.take(one, "user", 10_000, 1);
      Fleet.take(two, "user", 10_000, 2);
      assertThat(Fleet.count(us, "user")).isLessThanOrEqualTo(3L * (i + 1));
    }
    Fleet.await("the import", () -> Fleet.count(us, "user") == 600);
    fleet.awaitExchange();
    assertThat(row("eu", "user")).isEqualTo(600);
  }
}
