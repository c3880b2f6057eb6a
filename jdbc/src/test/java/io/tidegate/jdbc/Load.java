package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Requests to two regions at once, for as long as something goes wrong with their database. */
final class Load implements AutoCloseable {

  static final List<String> REGIONS = List.of("eu", "us");

  private static final int SERIES = 300;
  private static final long LIMIT = 1_000_000_000;

  /** No decision waits for the database at all; this is for a machine that is busy. */
  private static final Duration LONGEST_DECISION = Duration.ofSeconds(1);

  private final Fleet fleet;
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLongArray accepted = new AtomicLongArray(REGIONS.size() * SERIES);
  private final AtomicLong decisions = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  Load(Fleet fleet) {
    this.fleet = fleet;
    for (int region = 0; region < REGIONS.size(); region++) {
      RateLimiter node = fleet.node(REGIONS.get(region));
      nodes.add(node);
      int number = region;
      Thread thread = new Thread(() -> run(node, number), "load-" + region);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(RateLimiter node, int region) {
    Random random = new Random(region);
    try {
      while (!stopped.get()) {
        int series = random.nextInt(SERIES);
        long cost = 1 + random.nextInt(3);
        long before = System.nanoTime();
        Decision decision = Fleet.take(node, identifier(series), LIMIT, cost);
        longestNanos.accumulateAndGet(System.nanoTime() - before, Math::max);
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.degraded()).isFalse();
        accepted.addAndGet(region * SERIES + series, cost);
        decisions.incrementAndGet();
        LockSupport.parkNanos(200_000); // some thousand a second are plenty
      }
    } catch (RuntimeException | Error e) {
      failures.add(e);
    }
  }

  private static String identifier(int series) {
    return "load_" + series;
  }

  /** Lets both regions push and pull something. */
  void awaitExchange() {
    fleet.awaitExchange();
  }

  /** Lets it go on for so long. */
  void goOnFor(Duration duration) {
    long until = System.nanoTime() + duration.toNanos();
    Fleet.await("the time to pass", () -> System.nanoTime() - until >= 0);
  }

  /** Ends the load: no request has failed or waited, and in the end everybody knows all. */
  void checkNothingWasLost(MariaDbServer server) {
    close();
    assertThat(failures).isEmpty();
    assertThat(Duration.ofNanos(longestNanos.get())).isLessThan(LONGEST_DECISION);
    Map<String, Long> truth = new HashMap<>();
    long[] sums = new long[SERIES];
    for (int i = 0; i < accepted.length(); i++) {
      if (accepted.get(i) > 0) {
        truth.put(REGIONS.get(i / SERIES) + " " + identifier(i % SERIES), accepted.get(i));
      }
      sums[i % SERIES] += accepted.get(i);
    }
    Fleet.await("all rows to be whole", () -> rows(server).equals(truth));
    for (int i = 0; i < SERIES; i++) {
      long sum = sums[i];
      String identifier = identifier(i);
      for (RateLimiter node : nodes) {
        Fleet.await(
            identifier + " to be known as " + sum, () -> Fleet.known(node, identifier) == sum);
      }
    }
  }

  private static Map<String, Long> rows(MariaDbServer server) {
    return server
        .query("SELECT CONCAT(region, ' ', identifier), count FROM ratelimit_window_counts")
        .stream()
        .collect(Collectors.toMap(row -> row.get(0), row -> Long.valueOf(row.get(1))));
  }

  @Override
  public void close() {
    stopped.set(true);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
