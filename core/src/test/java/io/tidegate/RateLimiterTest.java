package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.Scheduler;
import io.tidegate.testing.VirtualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class RateLimiterTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).build();
  private final LimitRequest request =
      LimitRequest.of("acme", "login", "user", Limit.perMinute(10));

  @Test
  void allowedRequestHasRemainingTokensAndResetTime() {
    assertThat(limiter.tryAcquire(request.withCost(3)))
        .isEqualTo(
            new Decision(true, 10, 7, time.millis() + 60_000, 0, 3, Decision.Source.LOCAL, false));
  }

  @Test
  void deniedRequestHasTheTimeToWait() {
    limiter.tryAcquire(request.withCost(10));
    Decision denied = limiter.tryAcquire(request);
    // At the start of the next window the weighted count is 10; a millisecond later it is
    // floor(10 * 59999 / 60000) = 9.
    assertThat(denied)
        .isEqualTo(new Decision(
            false, 10, 0, time.millis() + 60_000, 60_001, 11, Decision.Source.LOCAL, false));
    assertThat(denied.retryAfter()).contains(Duration.ofMillis(60_001));
  }

  @Test
  void allowedRequestHasNoTimeToWait() {
    assertThat(limiter.tryAcquire(request).retryAfter()).isEmpty();
  }

  @Test
  void noSecondBurstAtTheWindowBoundary() {
    time.advance(Duration.ofSeconds(59));
    assertThat(limiter.tryAcquire(request.withCost(10)).allowed()).isTrue();
    time.advance(Duration.ofSeconds(1));
    assertThat(limiter.tryAcquire(request).allowed()).isFalse();
    time.advance(Duration.ofSeconds(30));
    assertThat(limiter.tryAcquire(request.withCost(6)).allowed()).isFalse();
    assertThat(limiter.tryAcquire(request.withCost(5)).allowed()).isTrue();
  }

  @Test
  void requestsWithDifferentLimitsShareTheCount() {
    LimitRequest generous = LimitRequest.of("acme", "login", "user", Limit.perMinute(100));
    assertThat(limiter.tryAcquire(generous.withCost(50)).allowed()).isTrue();
    assertThat(limiter.tryAcquire(request).allowed()).isFalse();
    assertThat(limiter.tryAcquire(generous).remaining()).isEqualTo(49);
  }

  @Test
  void seriesThatDifferInOnePartDoNotShareTheCount() {
    limiter.tryAcquire(request.withCost(10));
    for (LimitRequest other : List.of(
        LimitRequest.of("other", "login", "user", Limit.perMinute(10)),
        LimitRequest.of("acme", "other", "user", Limit.perMinute(10)),
        LimitRequest.of("acme", "login", "other", Limit.perMinute(10)),
        LimitRequest.of("acme", "login", "User", Limit.perMinute(10)),
        LimitRequest.of("acme", "login", "user ", Limit.perMinute(10)),
        LimitRequest.of("acme", "login", "user", Limit.of(10, Duration.ofMillis(60_001))))) {
      assertThat(limiter.tryAcquire(other).remaining()).as("%s", other).isEqualTo(9);
    }
  }

  @Test
  void highestValuesAreAccepted() {
    Limit greatest = new Limit(Bounds.MAX_TOKENS, Bounds.MAX_WINDOW_MILLIS);
    LimitRequest all =
        LimitRequest.of("acme", "login", "user", greatest).withCost(Bounds.MAX_TOKENS);
    assertThat(limiter.tryAcquire(all, Bounds.MAX_TIME_MILLIS).remaining()).isZero();
    Decision denied = limiter.tryAcquire(all.withCost(1), Bounds.MAX_TIME_MILLIS);
    assertThat(denied.effectiveCount()).isEqualTo(Bounds.MAX_TOKENS + 1);
    assertThat(limiter.tryAcquire(all, -Bounds.MAX_TIME_MILLIS).allowed())
        .isFalse(); // late, not free
  }

  @Test
  void clockSetBackGivesNoFreshBudget() {
    limiter.tryAcquire(request.withCost(10));
    time.advance(Duration.ofHours(-5));
    assertThat(limiter.tryAcquire(request).allowed()).isFalse();
  }

  @Test
  void asyncDecisionFromMemoryIsCompleteAtOnce() {
    assertThat(limiter.tryAcquireAsync(request).toCompletableFuture())
        .isCompletedWithValueMatching(Decision::allowed);
    assertThat(limiter.tryAcquireAsync(request.withCost(10), time.millis()).toCompletableFuture())
        .isCompletedWithValueMatching(decision -> !decision.allowed());
    assertThat(limiter.tryAcquireAllAsync(List.of(request)).toCompletableFuture())
        .isCompletedWithValueMatching(BatchDecision::allowed);
    assertThat(limiter.tryAcquireAllAsync(List.of(request), time.millis()).toCompletableFuture())
        .isCompletedWithValueMatching(BatchDecision::allowed);
  }

  @Test
  void allMethodsShareTheCount() {
    Gate gate = limiter.gate("acme", "login", Duration.ofMinutes(1));
    assertThat(gate.scope()).isEqualTo(request.scope());
    limiter.tryAcquire(request);
    limiter.tryAcquire(request, time.millis());
    limiter.tryAcquireAsync(request);
    limiter.tryAcquireAll(List.of(request));
    gate.take("user", 10);
    gate.take("user", 10, 1);
    gate.take("user", 10, 1, time.millis());
    gate.tryAcquire("user", 10, 1);
    assertThat(gate.tryAcquire("user", 10, 1, time.millis()).remaining()).isEqualTo(1);
  }

  @Test
  void observerReceivesEveryDecisionOnce() {
    List<Object> events = new ArrayList<>();
    LimiterObserver observer = new LimiterObserver() {
      @Override
      public void decided(Scope scope, String identifier, Decision decision) {
        events.add(decision);
      }

      @Override
      public void batchDecided(List<LimitRequest> requests, BatchDecision decision) {
        assertThat(requests).hasSameSizeAs(decision.decisions());
        events.add(decision);
      }

      @Override
      public void strictModeEntered(Scope scope, String identifier) {
        events.add("strict " + identifier);
      }
    };
    RateLimiter observed =
        RateLimiter.builder().clock(time).scheduler(time).observer(observer).build();
    List<Object> answered = new ArrayList<>();
    answered.add(observed.tryAcquire(request));
    answered.add(observed.tryAcquireAll(List.of(request, request)));
    answered.add(observed.gate(request.scope()).tryAcquire("user", 10, 1));
    assertThat(events).isEqualTo(answered);
    events.clear();
    assertThat(observed.gate(request.scope()).take("user", 4, 1)).isFalse();
    assertThat(events).hasSize(2).contains("strict user");
  }

  /**
   * Evictions were once reported under the lock of the evictor, so that an observer with a lock of
   * its own could deadlock.
   */
  @Test
  @SuppressWarnings("LockNotBeforeTry") // the order of locking is the subject
  void observerMayTakeALockOfAnotherCaller() throws Exception {
    Lock log = new ReentrantLock();
    CountDownLatch evicting = new CountDownLatch(1);
    LimiterObserver logging = new LimiterObserver() {
      @Override
      @SuppressWarnings("LockNotBeforeTry") // waits for the test, and guards nothing
      public void liveSeriesEvicted(Scope scope, String identifier) {
        evicting.countDown();
        log.lock();
        log.unlock();
      }
    };
    RateLimiter full = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .observer(logging)
        .maxSeries(1)
        .build();
    full.tryAcquire(request);
    log.lock();
    Thread other = new Thread(
        () -> full.tryAcquire(LimitRequest.of("acme", "login", "other", Limit.perMinute(10))));
    other.start();
    assertThat(evicting.await(30, TimeUnit.SECONDS)).isTrue();
    for (String identifier : List.of("third", "fourth")) { // the fourth evicts the third
      assertThat(full.tryAcquire(LimitRequest.of("acme", "login", identifier, Limit.perMinute(10)))
              .allowed())
          .isTrue();
    }
    assertThat(full.stats().evictedSeries()).isEqualTo(2);
    log.unlock();
    other.join(30_000);
    assertThat(other.isAlive()).isFalse();
  }

  @Test
  void observerThatThrowsDoesNotAffectDecisions() {
    LimiterObserver throwing = new LimiterObserver() {
      @Override
      public void liveSeriesEvicted(Scope scope, String identifier) {
        throw new IllegalStateException("thrown by a test");
      }

      @Override
      public void decided(Scope scope, String identifier, Decision decision) {
        throw new AssertionError("thrown by a test");
      }

      @Override
      public void batchDecided(List<LimitRequest> requests, BatchDecision decision) {
        throw new IllegalStateException("thrown by a test");
      }
    };
    RateLimiter full = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .observer(throwing)
        .maxSeries(1)
        .build();
    LimitRequest other = LimitRequest.of("acme", "login", "other", Limit.perMinute(10));
    full.tryAcquire(request);
    assertThat(full.tryAcquire(other).remaining()).isEqualTo(9);
    assertThat(full.tryAcquireAll(List.of(request, other)).allowed()).isTrue();
    assertThat(full.stats().series()).isLessThanOrEqualTo(2);
  }

  @Test
  void unreachableLimiterIsCollectedAndItsSweepEnds() {
    List<Runnable> periodicWork = new ArrayList<>();
    Scheduler scheduler = (interval, work) -> {
      periodicWork.add(work);
      return periodicWork::clear;
    };
    WeakReference<RateLimiter> dropped = new WeakReference<>(usedLimiter(scheduler));
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (dropped.get() != null || !periodicWork.isEmpty()) {
      assertThat(System.nanoTime()).as("still reachable after 30 s").isLessThan(deadline);
      System.gc();
      List.copyOf(periodicWork).forEach(Runnable::run);
    }
  }

  /** The scheduler must not keep an object alive that owns and observes a limiter. */
  @Test
  void unreachableLimiterWithAReferenceFromItsObserverIsCollected() {
    List<Runnable> periodicWork = new ArrayList<>();
    Scheduler scheduler = (interval, work) -> {
      periodicWork.add(work);
      return periodicWork::clear;
    };
    WeakReference<Owner> dropped = new WeakReference<>(new Owner(time, scheduler));
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (dropped.get() != null) {
      assertThat(System.nanoTime()).as("still reachable after 30 s").isLessThan(deadline);
      System.gc();
    }
    assertThat(periodicWork).isNotEmpty(); // the scheduler still has the task
  }

  private static final class Owner implements LimiterObserver {

    private final RateLimiter limiter;

    Owner(VirtualTime clock, Scheduler scheduler) {
      limiter =
          RateLimiter.builder().clock(clock).scheduler(scheduler).observer(this).build();
      limiter.tryAcquire(LimitRequest.of("acme", "login", "user", Limit.perMinute(10)));
    }
  }

  @Test
  void builderUsedAgainDoesNotChangeTheFirstLimiter() {
    RateLimiterBuilder builder = RateLimiter.builder().clock(time).scheduler(time);
    RateLimiter first = builder.build();
    first.tryAcquire(request);
    VirtualTime farAhead = VirtualTime.startingAt(Instant.parse("2040-01-01T00:00:00Z"));
    builder.clock(farAhead).build();
    time.advance(Duration.ofSeconds(30)); // sweeps with the clock of the first limiter
    assertThat(first.stats().series()).isEqualTo(1);
    assertThat(first.tryAcquire(request).remaining()).isEqualTo(8);
  }

  /** Most executors cancel a periodic task that throws. */
  @Test
  void failedPeriodicWorkRunsAgainUnderASchedulerThatCancelsTasksThatThrow() {
    Scheduler strict = (interval, work) -> {
      Scheduler.Task[] task = new Scheduler.Task[1];
      task[0] = time.every(interval, () -> {
        try {
          work.run();
        } catch (RuntimeException | Error e) {
          task[0].cancel();
        }
      });
      return task[0];
    };
    boolean[] fails = {true};
    InstantSource clock = () -> {
      if (fails[0]) {
        throw new IllegalStateException("thrown by a test");
      }
      return time.instant();
    };
    RateLimiter swept = RateLimiter.builder().clock(clock).scheduler(strict).build();
    swept.tryAcquire(request, time.millis());
    time.advance(Duration.ofSeconds(30)); // every sweep fails
    fails[0] = false;
    time.advance(Duration.ofMinutes(10));
    assertThat(swept.stats().series()).isZero();
  }

  private RateLimiter usedLimiter(Scheduler scheduler) {
    RateLimiter used = RateLimiter.builder().clock(time).scheduler(scheduler).build();
    used.tryAcquire(request);
    return used;
  }
}
