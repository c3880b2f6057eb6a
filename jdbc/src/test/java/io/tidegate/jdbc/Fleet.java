package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Nodes of several regions in real time, on a real database. */
final class Fleet implements AutoCloseable {

  /** One cell of a year covers every test run. */
  static final Scope SCOPE = new Scope("acme", "calls", Bounds.MAX_WINDOW_MILLIS);

  /** Short, to keep the tests fast. */
  static final Duration INTERVAL = Duration.ofMillis(200);

  /** Far longer than a test needs, to allow for a busy machine. */
  static final Duration LONG = Duration.ofSeconds(60);

  final List<RateLimiter> nodes = new ArrayList<>();
  final AtomicLong pushErrors = new AtomicLong();
  final AtomicLong pullErrors = new AtomicLong();
  final AtomicLong pulls = new AtomicLong();
  final AtomicLong created = new AtomicLong();
  private final String jdbcUrl;
  PushPolicy policy = PushPolicy.adaptive(INTERVAL);

  Fleet(String jdbcUrl) {
    this.jdbcUrl = jdbcUrl;
  }

  /** Creates the tables before a test uses them. */
  static void createTables(MariaDbServer server) {
    try (JdbcGlobalCounters counters = JdbcGlobalCounters.connect(server.jdbcUrl())) {
      counters
          .pull("none", GlobalCounters.EVERYTHING, 0, component -> {})
          .toCompletableFuture()
          .join();
    }
  }

  RateLimiterBuilder builder(String region) {
    return RateLimiter.builder()
        .region(region)
        .pushPolicy(policy)
        .globalCounters(JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().connect())
        .observer(new LimiterObserver() {
          @Override
          public void pushFailed(CallFailure failure) {
            pushErrors.incrementAndGet();
          }

          @Override
          public void pullFailed(CallFailure failure) {
            pullErrors.incrementAndGet();
          }

          @Override
          public void pulled(int rows, int applied, int series, long nanos) {
            pulls.incrementAndGet();
            created.addAndGet(series);
          }
        });
  }

  /** Adds a node that is a region of its own. */
  RateLimiter node(String region) {
    return add(builder(region));
  }

  RateLimiter add(RateLimiterBuilder builder) {
    RateLimiter node = builder.build();
    nodes.add(node);
    return node;
  }

  static Decision take(RateLimiter node, String identifier, long limit, long cost) {
    return node.tryAcquire(new LimitRequest(SCOPE, identifier, limit, cost));
  }

  /** Returns the count of a series on a node, whose previous cell is empty. */
  static long count(RateLimiter node, String identifier) {
    return take(node, identifier, Bounds.MAX_TOKENS, 0).effectiveCount();
  }

  /** Returns the count of a region in the database; 0 if there is no row. */
  static long row(MariaDbServer server, String region, String identifier) {
    List<List<String>> rows =
        server.query("SELECT count FROM ratelimit_window_counts WHERE region = '" + region
            + "' AND identifier = '" + identifier + "'");
    assertThat(rows).hasSizeLessThanOrEqualTo(1);
    return rows.isEmpty() ? 0 : Long.parseLong(rows.get(0).get(0));
  }

  /** Inserts rows of other series with a time of expiry. */
  static void insert(MariaDbServer server, int rows, long expiresAt) {
    String digits = "(SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4"
        + " UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)";
    server.execute("INSERT INTO ratelimit_window_counts"
        + " SELECT UNHEX(MD5(CONCAT(" + expiresAt
        + ", '/', n))), 'acme', 'calls', n, 1000, n, 'eu', 1, "
        + expiresAt + ", 1 FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n"
        + " FROM " + digits + " a, " + digits + " b, " + digits + " c, " + digits + " e, " + digits
        + " f) numbers WHERE n < " + rows);
  }

  static long deadlocks(MariaDbServer server) {
    return Long.parseLong(server
        .query("SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'")
        .get(0)
        .get(0));
  }

  /** Waits until all nodes have pushed and pulled twice. */
  void awaitExchange() {
    for (int i = 0; i < 2; i++) {
      long before = System.nanoTime();
      await("an exchange", () -> nodes.stream().allMatch(node -> hasExchangedSince(node, before)));
    }
  }

  private static boolean hasExchangedSince(RateLimiter node, long sinceNanos) {
    long push = node.stats().millisSincePush();
    long pull = node.stats().millisSincePull();
    long millis = Duration.ofNanos(System.nanoTime() - sinceNanos).toMillis();
    boolean pulled = !node.stats().reading() || (pull >= 0 && pull < millis);
    return push >= 0 && push < millis && pulled;
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for %s", what).isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Override
  public void close() {
    nodes.forEach(RateLimiter::close);
  }
}
