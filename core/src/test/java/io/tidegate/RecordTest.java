package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Costs that are charged afterwards, whatever the limit. */
class RecordTest {

  private static final long MOST = (1L << 40) - 1;

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).build();
  private final LimitRequest request =
      LimitRequest.of("acme", "tokens", "user", Limit.perMinute(100));

  private Decision record(long cost) {
    return limiter.record(request.withCost(cost));
  }

  @Test
  void costWithinTheLimitIsCharged() {
    Decision decision = record(40);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.effectiveCount()).isEqualTo(40);
    assertThat(decision.remaining()).isEqualTo(60);
    assertThat(limiter.tryAcquire(request.withCost(61)).allowed()).isFalse();
    assertThat(limiter.tryAcquire(request.withCost(60)).allowed()).isTrue();
  }

  @Test
  void costUpToTheLimitDoesNotExceedIt() {
    assertThat(record(100).allowed()).isTrue();
    assertThat(record(1).allowed()).isFalse();
  }

  @Test
  void costBeyondTheLimitIsChargedInFull() {
    record(90);
    Decision decision = record(5_000);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.effectiveCount()).isEqualTo(5_090);
    assertThat(decision.remaining()).isZero();
    assertThat(limiter.tryAcquire(request).allowed()).isFalse();
  }

  @Test
  void exceededLimitIsKeptAgainAfterTheTimeThatTheDecisionStates() {
    Duration wait = record(150).retryAfter().orElseThrow();
    time.advance(wait.minusMillis(1));
    assertThat(limiter.tryAcquire(request.withCost(0)).allowed()).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(limiter.tryAcquire(request.withCost(0)).allowed()).isTrue();
  }

  @Test
  void costZeroIsAPeek() {
    assertThat(record(0).allowed()).isTrue();
    assertThat(limiter.stats().series()).isZero();
  }

  @Test
  void limitOfZeroIsAlwaysExceededAndTheCostCounts() {
    LimitRequest closed = new LimitRequest(request.scope(), "user", 0, 7);
    Decision decision = limiter.record(closed);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.retryAfterMillis()).isEqualTo(Decision.NEVER);
    assertThat(record(0).effectiveCount()).isEqualTo(7);
  }

  @Test
  void countEndsAtItsGreatestValue() {
    for (int i = 0; i < 3; i++) {
      record(1_000_000_000_000L);
    }
    assertThat(record(1).effectiveCount()).isEqualTo(MOST);
    time.advance(Duration.ofSeconds(90));
    assertThat(record(0).effectiveCount()).isEqualTo(MOST / 2);
    assertThat(record(3).effectiveCount()).isEqualTo(MOST / 2 + 3);
  }

  @Test
  void observerReceivesOneDecision() {
    List<Decision> observed = new ArrayList<>();
    RateLimiter watched = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .observer(new LimiterObserver() {
          @Override
          public void decided(Scope scope, String identifier, Decision decision) {
            observed.add(decision);
          }
        })
        .build();
    Decision decision = watched.record(request.withCost(101));
    assertThat(observed).containsExactly(decision);
  }

  @Test
  void concurrentCostsAreAllCharged() throws Exception {
    int threads = 4;
    int rounds = 20_000;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Long>> callers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        callers.add(() -> charge(rounds));
      }
      long charged = 0;
      for (Future<Long> caller : executor.invokeAll(callers)) {
        charged += caller.get();
      }
      assertThat(record(0).effectiveCount()).isEqualTo(charged);
    } finally {
      executor.shutdownNow();
    }
  }

  /** Charges in all three ways, and returns how much was charged. */
  private long charge(int rounds) {
    long charged = 0;
    LimitRequest wide = new LimitRequest(request.scope(), "user", 1_000_000_000, 1);
    LimitRequest other = new LimitRequest(request.scope(), "other", 1_000_000_000, 1);
    for (int i = 0; i < rounds; i++) {
      limiter.record(request.withCost(3));
      charged += 3;
      charged += limiter.tryAcquire(wide).allowed() ? 1 : 0;
      charged += limiter.tryAcquireAll(List.of(wide, other)).allowed() ? 1 : 0;
    }
    return charged;
  }
}
