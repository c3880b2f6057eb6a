package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Scheduler;
import io.tidegate.testing.InMemoryOrigin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Decisions, evictions, rotations, replays and failures on real threads: each count arrives once.
 */
@SuppressWarnings({
  "ThreadPriorityCheck", // only to let other threads run on few cores
  "FutureReturnValueIgnored" // the counts are compared in the end
})
class RegionStressTest {

  private final Scope scope = new Scope("acme", "login", 1_000);
  private final InMemoryOrigin origin = new InMemoryOrigin();

  /** Ticks as fast as a thread can. */
  private static final Scheduler RESTLESS = (interval, work) -> {
    AtomicBoolean cancelled = new AtomicBoolean();
    Thread thread = new Thread(() -> {
      while (!cancelled.get()) {
        work.run();
        Thread.yield();
      }
    });
    thread.setDaemon(true);
    thread.start();
    return () -> cancelled.set(true);
  };

  @Test
  void everyCountArrivesOnceWhateverHappensMeanwhile() throws Exception {
    AtomicLong clock = new AtomicLong(1_000_000);
    Map<WindowCell, AtomicLong> truth = new ConcurrentHashMap<>();
    List<RateLimiter> nodes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      nodes.add(RateLimiter.builder()
          .clock(() -> Instant.ofEpochMilli(clock.get()))
          .scheduler(RESTLESS)
          .region("eu")
          .origin(origin)
          .maxSeries(10) // of 20, so that they are evicted all the time
          .build());
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RateLimiter node = nodes.get(i % 2);
      Random random = new Random(i);
      threads.add(new Thread(() -> use(node, random, clock, truth)));
    }
    threads.forEach(Thread::start);
    Random random = new Random(99);
    while (threads.stream().anyMatch(Thread::isAlive)) {
      origin.fail(random.nextInt(3) == 0 ? new IllegalStateException("broken by a test") : null);
      clock.addAndGet(random.nextInt(5) == 0 ? 300 : 0); // three windows last longer than it fails
      Thread.yield();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    origin.fail(null);
    nodes.forEach(RateLimiter::close); // flushes pending counts
    long lost = nodes.stream().mapToLong(node -> node.stats().lostTokens()).sum();
    long wanted = truth.values().stream().mapToLong(AtomicLong::get).sum();
    long received =
        truth.keySet().stream().mapToLong(cell -> origin.total("eu", cell)).sum();
    // Nothing is missing without being reported. Some of what is reported as lost has arrived: the
    // clock leaves a cell behind by three windows while a read sends its tokens.
    assertThat(received + lost).isBetween(wanted, wanted + wanted / 20);
    truth.forEach(
        (cell, count) -> assertThat(origin.total("eu", cell)).isLessThanOrEqualTo(count.get()));
  }

  private void use(
      RateLimiter node, Random random, AtomicLong clock, Map<WindowCell, AtomicLong> truth) {
    for (int i = 0; i < 20_000; i++) {
      String one = "user_" + random.nextInt(20);
      String other = "user_" + random.nextInt(20);
      long cost = 1L + random.nextInt(3);
      if (random.nextInt(4) > 0) {
        var decision = node.tryAcquireAsync(request(one, cost), clock.get()).toCompletableFuture();
        decision.thenAccept(
            done -> count(truth, one, done.resetAtMillis(), done.allowed() ? cost : 0));
      } else if (!one.equals(other)) {
        var batch = List.of(request(one, cost), request(other, 1));
        node.tryAcquireAllAsync(batch, clock.get()).thenAccept(done -> {
          count(truth, one, done.decisions().get(0).resetAtMillis(), done.allowed() ? cost : 0);
          count(truth, other, done.decisions().get(1).resetAtMillis(), done.allowed() ? 1 : 0);
        });
      }
    }
  }

  private LimitRequest request(String identifier, long cost) {
    return new LimitRequest(scope, identifier, 1_000_000, cost);
  }

  private void count(
      Map<WindowCell, AtomicLong> truth, String identifier, long resetAtMillis, long cost) {
    WindowCell cell = WindowCell.at(new Series(scope, identifier), resetAtMillis - 1);
    truth.computeIfAbsent(cell, same -> new AtomicLong()).addAndGet(cost);
  }

  /** A series must not leave the count of pending ones before it is added again. */
  @Test
  void closeReturnsWhenAllCountsAreConfirmedAndNotBefore() {
    for (int i = 0; i < 300; i++) {
      RateLimiter node =
          RateLimiter.builder().scheduler(RESTLESS).region("eu").origin(origin).build();
      Scope forever = new Scope("acme", "close", 366L * 86_400_000);
      String identifier = "user_" + i;
      for (int taken = 0; taken < 20; taken++) {
        node.tryAcquire(new LimitRequest(forever, identifier, 1_000, 1));
      }
      node.close();
      WindowCell cell = WindowCell.at(new Series(forever, identifier), System.currentTimeMillis());
      assertThat(origin.total("eu", cell)).as("round %d", i).isEqualTo(20);
    }
  }
}
