package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Guarantees for concurrent callers, with real threads at full speed. Checks counts, not times. */
class StressTest {

  private static final int THREADS = 4;
  private static final long NOW = 1_800_000_000_000L;

  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
  private final RateLimiter limiter = RateLimiter.builder()
      .clock(() -> Instant.ofEpochMilli(NOW).plus(Duration.ofDays(1))) // requests are never early
      .scheduler((interval, work) -> () -> {})
      .build();
  private final Gate gate = limiter.gate("acme", "login", Duration.ofMinutes(1));

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  @Test
  void admitsExactlyTheLimit() throws Exception {
    for (int round = 0; round < 200; round++) {
      String identifier = "user_" + round;
      AtomicInteger admitted = new AtomicInteger();
      together(thread -> {
        for (int i = 0; i < 500; i++) {
          if (thread % 2 == 0
              ? gate.take(identifier, 1_000, 1, NOW)
              : gate.tryAcquire(identifier, 1_000, 1, NOW).allowed()) {
            admitted.incrementAndGet();
          }
        }
      });
      assertThat(admitted).hasValue(1_000); // of 2,000 requested
    }
  }

  @Test
  void neverDeniesBelowTheLimit() throws Exception {
    for (int round = 0; round < 200; round++) {
      String identifier = "user_" + round;
      together(thread -> {
        for (int i = 0; i < 250; i++) {
          assertThat(gate.take(identifier, THREADS * 250, 1, NOW)).isTrue();
        }
      });
      assertThat(gate.take(identifier, THREADS * 250, 1, NOW)).isFalse();
    }
  }

  @Test
  void rotationLosesNoCount() throws Exception {
    long window = 60_000;
    for (int round = 0; round < 300; round++) {
      String identifier = "user_" + round;
      AtomicLong clock = new AtomicLong(NOW / window * window);
      Map<Long, Long> admittedByReset = new HashMap<>();
      together(thread -> {
        Map<Long, Long> mine = new HashMap<>();
        for (int i = 0; i < 400; i++) {
          Decision decision = gate.tryAcquire(identifier, 1_000_000, 1, clock.get());
          assertThat(decision.allowed()).isTrue();
          mine.merge(decision.resetAtMillis(), 1L, Long::sum);
          if (thread == 0 && i % 100 == 99) {
            clock.addAndGet(window);
          }
        }
        synchronized (admittedByReset) {
          mine.forEach((reset, count) -> admittedByReset.merge(reset, count, Long::sum));
        }
      });
      // At the start of a window the previous one has its full weight.
      long reset = gate.tryAcquire(identifier, 1_000_000, 0, clock.get()).resetAtMillis();
      long expected = admittedByReset.getOrDefault(reset, 0L)
          + admittedByReset.getOrDefault(reset - window, 0L);
      assertThat(gate.tryAcquire(identifier, 1_000_000, 0, clock.get()).effectiveCount())
          .isEqualTo(expected);
      assertThat(admittedByReset.values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(THREADS * 400L);
    }
  }

  @Test
  void deniedBatchesInALoopNeverDenyASingleRequest() throws Exception {
    gate.take("full", 1, 1, NOW);
    List<LimitRequest> hopeless = List.of(request("open", 10_000), request("full", 1));
    AtomicBoolean done = new AtomicBoolean();
    together(thread -> {
      if (thread == 0) {
        for (int i = 0; i < 10_000; i++) {
          assertThat(gate.take("open", 10_000, 1, NOW)).as("single %d", i).isTrue();
        }
        done.set(true);
      } else {
        while (!done.get() && !Thread.currentThread().isInterrupted()) {
          assertThat(limiter.tryAcquireAll(hopeless, NOW).allowed()).isFalse();
        }
      }
    });
    assertThat(gate.take("open", 10_000, 1, NOW)).isFalse();
  }

  @Test
  void batchesInOppositeOrderAdmitExactlyTheLimit() throws Exception {
    for (int round = 0; round < 200; round++) {
      List<LimitRequest> forward = new ArrayList<>();
      for (String name : List.of("a", "AaAa", "AaBB", "BBAa", "BBBB")) { // four with one hash
        forward.add(request("round_" + round + "_" + name, 100));
      }
      List<LimitRequest> backward = new ArrayList<>(forward);
      Collections.reverse(backward);
      AtomicInteger allowed = new AtomicInteger();
      together(thread -> {
        for (int i = 0; i < 50; i++) {
          if (limiter.tryAcquireAll(thread % 2 == 0 ? forward : backward, NOW).allowed()) {
            allowed.incrementAndGet();
          }
        }
      });
      assertThat(allowed).hasValue(100); // of 200 requested
      for (LimitRequest request : forward) {
        assertThat(limiter.tryAcquire(request.withCost(0), NOW).effectiveCount())
            .isEqualTo(100);
      }
    }
  }

  /** A reader that sees the first series of a batch charged also sees the last one charged. */
  @Test
  void batchIsVisibleAsAWhole() throws Exception {
    List<LimitRequest> both = List.of(request("a", 1_000_000), request("b", 1_000_000));
    AtomicBoolean done = new AtomicBoolean();
    together(thread -> {
      if (thread == 0) {
        for (int i = 0; i < 50_000; i++) {
          limiter.tryAcquireAll(both, NOW);
        }
        done.set(true);
      } else {
        String first = thread % 2 == 0 ? "a" : "b";
        String second = thread % 2 == 0 ? "b" : "a";
        while (!done.get() && !Thread.currentThread().isInterrupted()) {
          long one = gate.tryAcquire(first, 1_000_000, 0, NOW).effectiveCount();
          assertThat(gate.tryAcquire(second, 1_000_000, 0, NOW).effectiveCount())
              .isGreaterThanOrEqualTo(one);
        }
      }
    });
  }

  @Test
  void countsNeverShrinkDuringRequestsAndDeniedBatches() throws Exception {
    gate.take("full", 1, 1, NOW);
    AtomicBoolean done = new AtomicBoolean();
    together(thread -> {
      if (thread == 0) {
        for (int i = 0; i < 20_000; i++) {
          gate.take("open", 1_000_000, 1, NOW);
          limiter.tryAcquireAll(List.of(request("open", 1_000_000), request("full", 1)), NOW);
          limiter.tryAcquireAll(
              List.of(request("open", 1_000_000), request("other", 1_000_000)), NOW);
        }
        done.set(true);
      } else {
        long last = 0;
        while (!done.get() && !Thread.currentThread().isInterrupted()) {
          long seen = gate.tryAcquire("open", 1_000_000, 0, NOW).effectiveCount();
          assertThat(seen).isGreaterThanOrEqualTo(last);
          last = seen;
        }
      }
    });
    assertThat(gate.tryAcquire("open", 1_000_000, 0, NOW).effectiveCount()).isEqualTo(40_000);
  }

  /**
   * Many more series than {@code maxSeries}, of few and many scopes, while windows pass: the bound
   * holds, and all series are accounted for.
   */
  @Test
  void boundHoldsAndStatisticsAddUpUnderASpray() throws Exception {
    VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(NOW));
    RateLimiter small =
        RateLimiter.builder().clock(time).scheduler(time).maxSeries(500).build();
    Gate kept = small.gate("acme", "login", Duration.ofSeconds(1));
    together(thread -> {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      for (int i = 0; i < 50_000; i++) {
        String identifier = "user_" + random.nextInt(2_000);
        switch (random.nextInt(3)) {
          case 0 -> kept.take(identifier, 10, 1);
          case 1 ->
            small.tryAcquire(new LimitRequest(
                new Scope("acme", "topic_" + random.nextInt(200), 1_000), identifier, 10, 1));
          default ->
            small.tryAcquire(LimitRequest.of("acme", "login", identifier, Limit.perSecond(10)));
        }
        if (i % 1_000 == 0) {
          assertThat(small.stats().series()).isLessThanOrEqualTo(500);
        }
        if (thread == 0 && i % 5_000 == 4_999) {
          time.advance(Duration.ofSeconds(1));
        }
      }
    });
    assertThat(small.stats().series()).isLessThanOrEqualTo(500);
    time.advance(Duration.ofMinutes(1));
    assertThat(small.stats().series()).isZero();
    assertThat(small.store().tableCount()).isZero();
    assertThat(kept.take("user_1", 1, 1)).isTrue();
    assertThat(kept.take("user_1", 1, 1)).isFalse();
  }

  private static LimitRequest request(String identifier, long limit) {
    return LimitRequest.of("acme", "login", identifier, Limit.perMinute(limit));
  }

  /** Runs work on all threads at the same time; fails if a thread fails or hangs. */
  private void together(IntConsumer work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      running.add(executor.submit(() -> {
        start.await();
        work.accept(thread);
        return null;
      }));
    }
    for (Future<?> one : running) {
      one.get(2, TimeUnit.MINUTES);
    }
  }
}
