package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Nodes of a region in real time, on real servers. */
final class Nodes implements AutoCloseable {

  /** One cell of a year covers every test run. */
  static final Scope SCOPE = new Scope("acme", "calls", Bounds.MAX_WINDOW_MILLIS);

  static final String REGION = "eu";

  /** Pattern of the keys of all cells. */
  static final String CELLS = "tidegate:*:counts";

  /** Far longer than a test needs, to allow for a busy machine. */
  static final Duration LONG = Duration.ofSeconds(30);

  final List<RateLimiter> all = new ArrayList<>();

  static Nodes connected(int count, String uri) {
    Nodes nodes = new Nodes();
    for (int i = 0; i < count; i++) {
      nodes.add(RedisOrigin.connect(uri));
    }
    return nodes;
  }

  RateLimiter add(RedisOrigin origin) {
    RateLimiter node = RateLimiter.builder().region(REGION).origin(origin).build();
    all.add(node);
    return node;
  }

  RateLimiter get(int index) {
    return all.get(index);
  }

  static LimitRequest request(String identifier, long limit, long cost) {
    return new LimitRequest(SCOPE, identifier, limit, cost);
  }

  static Decision take(RateLimiter node, String identifier, long limit, long cost) {
    return node.tryAcquire(request(identifier, limit, cost));
  }

  /** Returns the count of a series on a node, whose previous cell is empty. */
  static long count(RateLimiter node, String identifier) {
    return take(node, identifier, Bounds.MAX_TOKENS, 0).effectiveCount();
  }

  static String key(String identifier) {
    Series series = new Series(SCOPE, identifier);
    return CellKey.of(REGION, WindowCell.at(series, System.currentTimeMillis()));
  }

  /** Returns the total of a series in Redis, and checks that the cell is consistent. */
  static long total(RedisServer server, String identifier) {
    return total(server.call("HGETALL", key(identifier)));
  }

  /**
   * Returns the total of a cell, and checks that it is the sum over writers, and that imports are
   * the sum over other regions.
   */
  static long total(List<String> cell) {
    Map<String, Long> writers = new HashMap<>();
    Map<String, Long> regions = new HashMap<>();
    Map<String, Long> sums = new HashMap<>();
    for (int i = 0; i < cell.size(); i += 2) {
      String field = cell.get(i);
      boolean ofRegion = field.startsWith(":from:");
      (ofRegion ? regions : field.startsWith(":") ? sums : writers)
          .put(field, Long.parseLong(cell.get(i + 1)));
    }
    sums.remove(CellKey.PUSHED);
    Map<String, Long> expected = new HashMap<>();
    if (!writers.isEmpty()) {
      expected.put(CellKey.TOTAL, sum(writers));
    }
    if (!regions.isEmpty()) {
      expected.put(CellKey.IMPORTED, sum(regions));
      expected.put(CellKey.REGIONS, (long) regions.size());
    }
    assertThat(sums).as("sums of %s", cell).isEqualTo(expected);
    return sum(writers);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether the origin has confirmed all counts of all nodes. */
  boolean areConfirmed() {
    return all.stream().allMatch(node -> node.stats().unconfirmedSeries() == 0);
  }

  static void checkEveryKeyExpires(RedisServer server) {
    for (String key : server.call("KEYS", CELLS)) {
      long millis = Long.parseLong(server.call("PTTL", key).get(0));
      assertThat(millis).as(key).isNotEqualTo(-1); // -1: no expiry; -2: expired meanwhile
    }
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for: %s", what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Override
  public void close() {
    all.forEach(RateLimiter::close);
  }
}
