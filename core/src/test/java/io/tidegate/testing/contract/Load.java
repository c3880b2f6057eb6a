package io.tidegate.testing.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests to several nodes at once, while a test disturbs the store that the nodes share. Counts
 * the admitted tokens of each node and series, so that the test can compare them with the store.
 *
 * <pre>{@code
 * try (Load load = new Load(List.of(one, other), 2, scope, 20)) {
 *   load.awaitDecisions(1_000);
 *   server.restart();
 *   load.awaitDecisions(1_000);
 *   load.stop(Duration.ofSeconds(1));
 *   assertThat(server.total(Load.identifier(0))).isEqualTo(load.admitted(0));
 * }
 * }</pre>
 */
public final class Load implements AutoCloseable {

  /** So high that no request is denied. */
  private static final long LIMIT = 1_000_000_000;

  /** A few thousand requests per second and thread, so that the machine has time for the store. */
  private static final long PAUSE_NANOS = 200_000;

  private static final Duration AWAIT_TIMEOUT = Duration.ofSeconds(30);

  private final Scope scope;
  private final int series;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<AtomicLongArray> admitted = new ArrayList<>();
  private final AtomicLong decisions = new AtomicLong();
  private final AtomicLong degraded = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /**
   * Starts the load.
   *
   * @param nodes the nodes to send requests to
   * @param threadsPerNode concurrent requests of each node
   * @param scope the scope of all requests, with a window that outlasts the test
   * @param series how many identifiers are used
   */
  public Load(List<RateLimiter> nodes, int threadsPerNode, Scope scope, int series) {
    this.scope = scope;
    this.series = series;
    for (RateLimiter node : nodes) {
      AtomicLongArray counts = new AtomicLongArray(series);
      admitted.add(counts);
      for (int i = 0; i < threadsPerNode; i++) {
        Random random = new Random(threads.size());
        threads.add(new Thread(() -> run(node, counts, random), "load-" + threads.size()));
      }
    }
    threads.forEach(Thread::start);
  }

  private void run(RateLimiter node, AtomicLongArray counts, Random random) {
    try {
      while (!stopped.get()) {
        int number = random.nextInt(series);
        long cost = 1L + random.nextInt(3);
        long before = System.nanoTime();
        Decision decision =
            node.tryAcquire(new LimitRequest(scope, identifier(number), LIMIT, cost));
        longestNanos.accumulateAndGet(System.nanoTime() - before, Math::max);
        assertThat(decision.allowed()).isTrue();
        counts.addAndGet(number, cost);
        degraded.addAndGet(decision.degraded() ? 1 : 0);
        decisions.incrementAndGet();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (RuntimeException | Error e) {
      failures.add(e);
    }
  }

  /**
   * The identifier of a series.
   *
   * @param series its number, from 0
   * @return the identifier
   */
  public static String identifier(int series) {
    return "load_" + series;
  }

  /**
   * Returns after more decisions.
   *
   * @param more how many
   */
  public void awaitDecisions(long more) {
    long target = decisions.get() + more;
    long start = System.nanoTime();
    while (decisions.get() < target && failures.isEmpty()) {
      assertThat(System.nanoTime() - start)
          .as("waited for %s decisions", more)
          .isLessThan(AWAIT_TIMEOUT.toNanos());
      LockSupport.parkNanos(2_000_000);
    }
  }

  /**
   * Returns after a time, during which the load continues.
   *
   * @param duration how long
   */
  public void runFor(Duration duration) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < duration.toNanos()) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  /**
   * Stops the load, and checks that no request failed, was denied or took too long.
   *
   * @param longest the longest time that a decision may have taken
   */
  public void stop(Duration longest) {
    close();
    assertThat(failures).isEmpty();
    assertThat(Duration.ofNanos(longestNanos.get())).isLessThan(longest);
  }

  /**
   * Decisions without the origin's counts.
   *
   * @return how many so far
   */
  public long degraded() {
    return degraded.get();
  }

  /**
   * Tokens that all nodes admitted for a series.
   *
   * @param series the number of the series
   * @return the tokens so far
   */
  public long admitted(int series) {
    return admitted.stream().mapToLong(counts -> counts.get(series)).sum();
  }

  /**
   * Tokens that one node admitted for a series.
   *
   * @param node the index of the node
   * @param series the number of the series
   * @return the tokens so far
   */
  public long admitted(int node, int series) {
    return admitted.get(node).get(series);
  }

  /** Stops the load, and checks nothing. */
  @Override
  public void close() {
    stopped.set(true);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted while the load stops", e);
      }
    }
  }
}
