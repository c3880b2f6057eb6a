package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** Requests to all nodes at once, for as long as something goes wrong with their origin. */
final class Load implements AutoCloseable {

  /** The keys of all cells. */
  static final String CELLS = "tidegate:*:counts";

  private static final int SERIES = 20;
  private static final long LIMIT = 1_000_000_000;

  /** A wait is at most 300 ms; the rest is for a machine that is busy with other things. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(1_500);

  private final Nodes nodes;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLongArray accepted = new AtomicLongArray(SERIES);
  private final AtomicLong decisions = new AtomicLong();
  private final AtomicLong degraded = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private Load(Nodes nodes) {
    this.nodes = nodes;
  }

  /** Two threads per node. */
  static Load on(Nodes nodes) {
    Load load = new Load(nodes);
    for (int i = 0; i < 2 * nodes.all.size(); i++) {
      RateLimiter node = nodes.get(i % nodes.all.size());
      Random random = new Random(i);
      Thread thread = new Thread(() -> load.run(node, random), "load-" + i);
      load.threads.add(thread);
      thread.start();
    }
    return load;
  }

  private void run(RateLimiter node, Random random) {
    try {
      while (!stopped.get()) {
        int series = random.nextInt(SERIES);
        long cost = 1 + random.nextInt(3);
        long before = System.nanoTime();
        Decision decision = Nodes.take(node, identifier(series), LIMIT, cost);
        long nanos = System.nanoTime() - before;
        longestNanos.accumulateAndGet(nanos, Math::max);
        accepted.addAndGet(series, decision.allowed() ? cost : 0);
        degraded.addAndGet(decision.degraded() ? 1 : 0);
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

  /** Lets so many decisions be made. */
  void awaitDecisions(long more) {
    long until = decisions.get() + more;
    Nodes.await(more + " decisions", () -> decisions.get() >= until || !failures.isEmpty());
  }

  /** Lets it go on for so long. */
  void goOnFor(Duration duration) {
    long until = System.nanoTime() + duration.toNanos();
    Nodes.await("the time to pass", () -> System.nanoTime() - until >= 0);
  }

  long degraded() {
    return degraded.get();
  }

  /** Ends the load: no request has failed or waited for long, and in the end Redis holds all. */
  void checkNothingWasLost(RedisServer server) {
    close();
    assertThat(failures).isEmpty();
    assertThat(Duration.ofNanos(longestNanos.get())).isLessThan(LONGEST_WAIT);
    Nodes.await("all counts to be confirmed", nodes::haveToldAll);
    for (int i = 0; i < SERIES; i++) {
      String series = identifier(i);
      long truth = accepted.get(i);
      Nodes.await(series + " to be whole, " + truth, () -> Nodes.total(server, series) == truth);
    }
    checkEveryKeyExpires(server);
  }

  static void checkEveryKeyExpires(RedisServer server) {
    for (String key : server.call("KEYS", CELLS)) {
      long millis = Long.parseLong(server.call("PTTL", key).get(0));
      assertThat(millis).as(key).isNotEqualTo(-1); // it has no end; -2: it has come to it meanwhile
    }
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
