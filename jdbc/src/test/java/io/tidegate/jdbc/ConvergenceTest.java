package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.redis.RedisOrigin;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three regions of two nodes: one Redis per region, one database for all. */
class ConvergenceTest {

  private static final int SERIES = 50;

  private final MariaDbServer database = MariaDbServer.start();
  private final List<RedisServer> origins = new ArrayList<>();
  private final Fleet fleet = new Fleet(database.jdbcUrl());

  @BeforeEach
  void createTables() {
    Fleet.createTables(database);
  }

  @AfterEach
  void close() {
    fleet.close();
    origins.forEach(RedisServer::close);
    database.close();
  }

  private void start(PushPolicy policy) {
    fleet.policy = policy;
    for (String region : List.of("eu", "us", "asia")) {
      RedisServer origin = RedisServer.start();
      origins.add(origin);
      for (int node = 0; node < 2; node++) {
        fleet.add(fleet.builder(region).origin(RedisOrigin.connect(origin.uri())));
      }
    }
  }

  /** Runs one thread per node, and adds up the admitted tokens. */
  private void run(int requests, long limit, long pauseNanos, AtomicLongArray admitted)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < fleet.nodes.size(); i++) {
      RateLimiter node = fleet.nodes.get(i);
      Random random = new Random(i);
      threads.add(new Thread(() -> {
        for (int request = 0; request < requests; request++) {
          int series = random.nextInt(admitted.length());
          long cost = 1L + random.nextInt(3);
          Decision decision = Fleet.take(node, "user_" + series, limit, cost);
          admitted.addAndGet(series, decision.allowed() ? cost : 0);
          LockSupport.parkNanos(pauseNanos);
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void allNodesConvergeToTheExactCount() throws InterruptedException {
    start(PushPolicy.floor(0, Fleet.INTERVAL));
    AtomicLongArray admitted = new AtomicLongArray(SERIES);
    run(2_000, 1_000_000, 500_000, admitted);
    for (int series = 0; series < SERIES; series++) {
      String identifier = "user_" + series;
      long admittedTokens = admitted.get(series);
      for (RateLimiter node : fleet.nodes) {
        Fleet.await(
            identifier + " to be " + admittedTokens,
            () -> Fleet.count(node, identifier) == admittedTokens);
      }
    }
    assertThat(database
            .query("SELECT SUM(count), COUNT(*) FROM ratelimit_window_counts")
            .get(0))
        .containsExactly(Long.toString(sum(admitted)), Integer.toString(3 * SERIES));
  }

  private static long sum(AtomicLongArray counts) {
    return IntStream.range(0, counts.length()).mapToLong(counts::get).sum();
  }

  /**
   * Every node receives requests for the whole limit. The overshoot is what nodes admit before they
   * have read each other's counts.
   */
  @Test
  void limitHoldsOverRegions() throws InterruptedException {
    start(PushPolicy.adaptive(Fleet.INTERVAL));
    AtomicLongArray admitted = new AtomicLongArray(1);
    long limit = 3_000;
    run((int) limit / 2, limit, 4_000_000, admitted); // the limit per node, in about 6 s
    assertThat(admitted.get(0))
        .isBetween(limit, 2 * limit); // six times the limit without an exchange
    for (RateLimiter node : fleet.nodes) {
      Fleet.await("a denial", () -> !Fleet.take(node, "user_0", limit, 1).allowed());
    }
  }

  /** The origin of a region is lost; the counts of the region in the database remain. */
  @Test
  void databaseReplacesTheCountsOfALostOrigin() {
    start(PushPolicy.floor(0, Fleet.INTERVAL));
    Fleet.take(fleet.nodes.get(0), "user", 10, 6);
    Fleet.await("the row", () -> Fleet.row(database, "eu", "user") == 6);
    origins.get(0).kill();
    RateLimiter other = fleet.nodes.get(1);
    Fleet.await("the count on the other node", () -> Fleet.count(other, "user") == 6);
    assertThat(Fleet.take(other, "user", 10, 5).allowed()).isFalse();
    assertThat(Fleet.take(other, "user", 10, 4).allowed()).isTrue();
  }
}
