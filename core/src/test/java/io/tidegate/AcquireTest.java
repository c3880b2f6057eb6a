package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.spi.Scheduler;
import io.tidegate.testing.VirtualTime;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that wait for their limit. */
@Timeout(60)
class AcquireTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LONG = Duration.ofMinutes(5);

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).build();
  private final LimitRequest request =
      LimitRequest.of("acme", "jobs", "tenant", Limit.perMinute(10));

  private CompletableFuture<Boolean> acquire(long cost, Duration maxWait) {
    return limiter.acquireAsync(request.withCost(cost), maxWait);
  }

  private Duration fill() {
    assertThat(limiter.tryAcquire(request.withCost(10)).allowed()).isTrue();
    return limiter.tryAcquire(request).retryAfter().orElseThrow();
  }

  @Test
  void isImmediateWhileThereIsRoom() throws InterruptedException {
    assertThat(limiter.acquire(request, Duration.ZERO)).isTrue();
    assertThat(acquire(9, LONG)).isCompletedWithValue(true);
    assertThat(limiter.tryAcquire(request).allowed()).isFalse();
  }

  @Test
  void waitsExactlyAsLongAsTheDenialStates() {
    Duration wait = fill();
    CompletableFuture<Boolean> waiting = acquire(1, LONG);
    time.advance(wait.minusMillis(1));
    assertThat(waiting).isNotDone();
    time.advance(Duration.ofMillis(1));
    assertThat(waiting).isCompletedWithValue(true);
    assertThat(limiter.tryAcquire(request).allowed()).isFalse(); // it was charged
  }

  @Test
  void mayWaitUntilExactlyTheDeadline() {
    CompletableFuture<Boolean> waiting = acquire(1, fill());
    assertThat(waiting).isNotDone();
    time.advance(MINUTE.plusSeconds(6));
    assertThat(waiting).isCompletedWithValue(true);
  }

  @Test
  void failsAtOnceIfTheWaitWouldBeTooLong() {
    Duration wait = fill();
    assertThat(acquire(1, wait.minusMillis(1))).isCompletedWithValue(false);
    assertThat(acquire(1, Duration.ZERO)).isCompletedWithValue(false);
  }

  @Test
  void failsAtOnceIfNoWaitHelps() {
    assertThat(acquire(11, LONG)).isCompletedWithValue(false);
    LimitRequest denied = LimitRequest.of("acme", "jobs", "blocked", Limit.perMinute(0));
    assertThat(limiter.acquireAsync(denied, LONG)).isCompletedWithValue(false);
  }

  @Test
  void waitingRequestsAreAdmittedInTheOrderOfTheirArrival() {
    Duration wait = fill();
    CompletableFuture<Boolean> high = acquire(10, LONG);
    CompletableFuture<Boolean> low = acquire(1, LONG);
    time.advance(wait);
    assertThat(low).isNotDone(); // the limit has room for it, but not for the one before it
    time.advance(Duration.ofSeconds(55));
    assertThat(high).isCompletedWithValue(true);
    assertThat(low).isNotDone();
    time.advance(MINUTE);
    assertThat(low).isCompletedWithValue(true);
  }

  @Test
  void severalAreAdmittedAtOnceIfTheLimitHasRoom() {
    fill();
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiting.add(acquire(1, LONG));
    }
    time.advance(MINUTE.multipliedBy(2));
    assertThat(waiting).allSatisfy(one -> assertThat(one).isCompletedWithValue(true));
    assertThat(limiter.tryAcquire(request).allowed()).isFalse();
  }

  @Test
  void requestBehindAWaitThatIsTooLongForItFailsAtOnce() {
    Duration wait = fill();
    CompletableFuture<Boolean> first = acquire(1, LONG);
    assertThat(acquire(1, wait.minusMillis(1))).isCompletedWithValue(false);
    CompletableFuture<Boolean> behind = acquire(1, wait.plusMillis(1));
    time.advance(wait.minusMillis(1));
    limiter.record(request.withCost(10)); // so that the first one has to wait longer
    time.advance(Duration.ofMillis(1));
    assertThat(behind).isCompletedWithValue(false);
    assertThat(first).isNotDone();
  }

  @Test
  void requestWhoseTurnIsOverMakesRoomForTheNext() {
    Duration wait = fill();
    CompletableFuture<Boolean> high = acquire(10, wait.plus(MINUTE));
    CompletableFuture<Boolean> low = acquire(1, LONG);
    time.advance(wait);
    assertThat(low).isNotDone();
    limiter.record(request.withCost(2)); // now the first one cannot be admitted in time
    time.advance(MINUTE);
    assertThat(high).isCompletedWithValue(false);
    assertThat(low).isCompletedWithValue(true);
  }

  @Test
  void cancelledRequestIsNotCharged() {
    Duration wait = fill();
    CompletableFuture<Boolean> waiting = acquire(1, LONG);
    waiting.cancel(false);
    time.advance(wait);
    assertThat(limiter.tryAcquire(request).allowed()).isTrue();
    assertThat(limiter.waitingQueues()).isZero();
  }

  @Test
  void cancellingTheFirstRequestServesTheNextAtOnce() {
    Duration wait = fill();
    CompletableFuture<Boolean> high = acquire(10, LONG);
    CompletableFuture<Boolean> low = acquire(1, LONG);
    time.advance(wait);
    high.cancel(false);
    assertThat(low).isCompletedWithValue(true);
  }

  @Test
  void cancellingALaterRequestLeavesTheOthersInOrder() {
    fill();
    CompletableFuture<Boolean> first = acquire(1, LONG);
    CompletableFuture<Boolean> second = acquire(1, LONG);
    CompletableFuture<Boolean> third = acquire(1, LONG);
    second.cancel(false);
    time.advance(MINUTE.multipliedBy(2));
    assertThat(first).isCompletedWithValue(true);
    assertThat(third).isCompletedWithValue(true);
    assertThat(limiter.tryAcquire(request.withCost(0)).effectiveCount()).isEqualTo(2);
  }

  @Test
  void requestThatDoesNotWaitMayOvertake() {
    Duration wait = fill();
    CompletableFuture<Boolean> waiting = acquire(1, LONG);
    time.advance(wait.minusMillis(1));
    assertThat(waiting).isNotDone();
    limiter.record(request); // takes the token that becomes free
    time.advance(Duration.ofMillis(1));
    assertThat(waiting).isNotDone();
    time.advance(Duration.ofSeconds(6));
    assertThat(waiting).isCompletedWithValue(true);
  }

  @Test
  void seriesDoNotWaitForEachOther() {
    fill();
    CompletableFuture<Boolean> waiting = acquire(1, LONG);
    LimitRequest other = LimitRequest.of("acme", "jobs", "other", Limit.perMinute(10));
    assertThat(limiter.acquireAsync(other, LONG)).isCompletedWithValue(true);
    assertThat(waiting).isNotDone();
  }

  @Test
  void numberOfWaitingRequestsIsBounded() {
    fill();
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < WaitingRequests.MAX_QUEUE_LENGTH; i++) {
      waiting.add(acquire(1, LONG));
    }
    assertThat(waiting.get(waiting.size() - 1)).isNotDone();
    assertThat(acquire(1, LONG)).isCompletedWithValue(false);
    waiting.get(5).cancel(false);
    assertThat(acquire(1, LONG)).isNotDone();
  }

  @Test
  void servedQueuesAreRemoved() {
    Duration wait = fill();
    assertThat(acquire(1, LONG)).isNotDone();
    assertThat(limiter.waitingQueues()).isEqualTo(1);
    time.advance(wait);
    assertThat(limiter.waitingQueues()).isZero();
  }

  @Test
  void timersEndWithTheirWaits() {
    AtomicInteger active = new AtomicInteger();
    Scheduler counting = new Scheduler() {
      @Override
      public Task every(Duration interval, Runnable work) {
        Task task = time.every(interval, work);
        active.incrementAndGet();
        return () -> {
          active.decrementAndGet();
          task.cancel();
        };
      }

      @Override
      public long elapsedNanos() {
        return time.elapsedNanos();
      }
    };
    RateLimiter counted = RateLimiter.builder().clock(time).scheduler(counting).build();
    int periodic = active.get();
    counted.tryAcquire(request.withCost(10));
    CompletableFuture<Boolean> cancelled = counted.acquireAsync(request, LONG);
    CompletableFuture<Boolean> admitted = counted.acquireAsync(request, LONG);
    assertThat(active).hasValue(periodic + 1);
    cancelled.cancel(false);
    assertThat(active).hasValue(periodic + 1); // of the other request
    time.advance(LONG);
    assertThat(admitted).isCompletedWithValue(true);
    assertThat(active).hasValue(periodic);
  }

  @Test
  void allRequestsOfALongQueueMayGiveUpAtOnce() {
    Duration wait = fill();
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < WaitingRequests.MAX_QUEUE_LENGTH; i++) {
      waiting.add(acquire(1, wait));
    }
    time.advance(wait.minusMillis(1));
    limiter.record(request.withCost(10));
    time.advance(Duration.ofMillis(1));
    assertThat(waiting).allSatisfy(one -> assertThat(one).isCompletedWithValue(false));
  }

  @Test
  void invalidArgumentsAreRejected() {
    assertThatThrownBy(() -> limiter.acquire(request, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxWait must not be negative: PT-0.001S");
    assertThatThrownBy(() -> limiter.acquireAsync(null, LONG))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("request must not be null");
    assertThatThrownBy(() -> limiter.acquireAsync(request, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("maxWait must not be null");
    assertThat(limiter.waitingQueues()).isZero();
  }

  @Test
  void longestDurationIsAccepted() {
    fill();
    assertThat(acquire(1, Duration.ofSeconds(Long.MAX_VALUE))).isNotDone();
  }

  @Test
  void interruptedThreadGivesUpItsPlace() throws Exception {
    Duration wait = fill();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(() -> {
      try {
        limiter.acquire(request, LONG);
      } catch (Throwable e) {
        thrown.set(e);
      }
    });
    thread.start();
    while (limiter.waitingQueues() == 0) {
      Thread.onSpinWait();
    }
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    time.advance(wait);
    assertThat(limiter.tryAcquire(request).allowed()).isTrue();
  }

  @Test
  void blockedThreadContinuesWhenTheLimitHasRoom() throws Exception {
    Duration wait = fill();
    AtomicReference<Object> result = new AtomicReference<>();
    Thread thread = new Thread(() -> {
      try {
        result.set(limiter.acquire(request, LONG));
      } catch (Throwable e) {
        result.set(e);
      }
    });
    thread.start();
    while (thread.getState() != Thread.State.WAITING) { // it has been denied by then
      Thread.onSpinWait();
    }
    time.advance(wait);
    thread.join();
    assertThat(result.get()).isEqualTo(true);
  }

  /** With the scheduler of the system: 20 threads share 50 tokens a second. */
  /** A thread may decide on a request of another thread that has only just been added. */
  @Test
  void concurrentRequestsAreChargedOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(20);
    try {
      for (int round = 0; round < 1_000; round++) {
        AtomicInteger admitted = new AtomicInteger();
        LimitRequest request =
            LimitRequest.of("acme", "login", "round_" + round, Limit.perMinute(50));
        List<Future<?>> running = new ArrayList<>();
        for (int t = 0; t < 20; t++) {
          running.add(threads.submit(() -> {
            for (int i = 0; i < 5; i++) {
              admitted.addAndGet(
                  limiter.acquireAsync(request, Duration.ofSeconds(5)).join() ? 1 : 0);
            }
          }));
        }
        for (Future<?> each : running) {
          each.get(20, TimeUnit.SECONDS);
        }
        assertThat(admitted).as("admitted in round %d", round).hasValue(50);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void everyThreadIsServedInTime() throws Exception {
    RateLimiter real = RateLimiter.inMemory();
    LimitRequest shared = LimitRequest.of("acme", "jobs", "shared", Limit.perSecond(50));
    ExecutorService executor = Executors.newFixedThreadPool(20);
    List<Future<Integer>> admitted = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        admitted.add(executor.submit(() -> {
          int count = 0;
          for (int j = 0; j < 5; j++) {
            count += real.acquire(shared, Duration.ofSeconds(30)) ? 1 : 0;
          }
          return count;
        }));
      }
      for (Future<Integer> one : admitted) {
        assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo(5);
      }
    } finally {
      executor.shutdownNow();
      real.close();
    }
  }

  @Test
  void randomRequestsAreAdmittedInOrderAsSoonAsTheLimitHasRoom() {
    Property.check(1_000, random -> new Script(random).run());
  }

  /** Random requests, cancellations and steps of time, with checks after each. */
  private static final class Script {

    private static final long START = 1_893_456_000_000L;

    private final Generator random;
    private final VirtualTime time = VirtualTime.startingAt(Instant.ofEpochMilli(START));
    private final RateLimiter limiter =
        RateLimiter.builder().clock(time).scheduler(time).build();
    private final Limit limit;
    private final List<Waiting> all = new ArrayList<>();
    private final List<Admission> admissions = new ArrayList<>();
    private final List<CompletableFuture<Void>> recorded = new ArrayList<>();

    private record Waiting(
        int number, LimitRequest request, long deadline, CompletableFuture<Boolean> future) {}

    private record Admission(Waiting waiting, long millis) {

      int number() {
        return waiting.number;
      }
    }

    Script(Generator random) {
      this.random = random;
      this.limit = Limit.perSecond(random.between(1, 20));
    }

    void run() {
      int steps = random.length(1, 60);
      for (int i = 0; i < steps; i++) {
        step();
        check();
      }
    }

    private void step() {
      switch ((int) random.between(0, 5)) {
        case 0, 1 -> arrive();
        case 2 ->
          all.stream()
              .filter(one -> !one.future.isDone())
              .findAny()
              .ifPresent(one -> one.future.cancel(false));
        default -> time.advance(Duration.ofMillis(random.between(0, 400)));
      }
    }

    private void arrive() {
      LimitRequest request = request(random.between(0, limit.tokens() + 1));
      long maxWait = random.between(0, 3_000);
      CompletableFuture<Boolean> future = limiter.acquireAsync(request, Duration.ofMillis(maxWait));
      Waiting waiting = new Waiting(all.size(), request, time.millis() + maxWait, future);
      all.add(waiting);
      recorded.add(future.thenAccept(success -> {
        if (success) {
          admissions.add(new Admission(waiting, time.millis()));
        }
      }));
    }

    private LimitRequest request(long cost) {
      return LimitRequest.of("acme", "jobs", "tenant", limit).withCost(cost);
    }

    private void check() {
      assertThat(admissions).extracting(Admission::number).isSorted();
      assertThat(admissions)
          .allSatisfy(one -> assertThat(one.millis).isLessThanOrEqualTo(one.waiting.deadline));
      List<Waiting> left = all.stream().filter(one -> !one.future.isDone()).toList();
      assertThat(left)
          .allSatisfy(one -> assertThat(time.millis()).isLessThanOrEqualTo(one.deadline));
      assertThat(limiter.waitingQueues()).isEqualTo(left.isEmpty() ? 0 : 1);
      if (!left.isEmpty()) {
        Decision first = limiter.tryAcquire(left.get(0).request);
        assertThat(first.allowed()).as("the first could be admitted").isFalse();
      }
      assertThat(effectiveCount()).isLessThanOrEqualTo(limit.tokens());
      assertThat(limiter.tryAcquire(request(0)).effectiveCount()).isEqualTo(effectiveCount());
    }

    /** The sliding window over all admissions, computed anew. */
    private long effectiveCount() {
      long cell = time.millis() / 1_000 * 1_000;
      long current = sum(cell);
      long previous = sum(cell - 1_000);
      return current + previous * (cell + 1_000 - time.millis()) / 1_000;
    }

    private long sum(long cell) {
      return admissions.stream()
          .filter(one -> one.millis >= cell && one.millis < cell + 1_000)
          .mapToLong(one -> one.waiting.request.cost())
          .sum();
    }
  }
}
