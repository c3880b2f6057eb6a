package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.testing.VirtualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Memory is bounded under a spray of identifiers, and released when requests end. */
class MaxSeriesTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:30Z"));
  private final List<String> evicted = new ArrayList<>();
  private final LimiterObserver observer = new LimiterObserver() {
    @Override
    public void liveSeriesEvicted(Scope scope, String identifier) {
      evicted.add(identifier);
    }
  };

  @Test
  void sprayOfIdentifiersStaysWithinTheBound() {
    RateLimiter limiter = limiter(1_000);
    for (int i = 0; i < 20_000; i++) {
      assertThat(limiter.tryAcquire(perMinute("spray_" + i)).allowed()).isTrue();
      assertThat(limiter.stats().series()).isLessThanOrEqualTo(1_000);
    }
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            1_000, 0, 19_000, 0, 0, 0, -1, -1, 20_000, 0, false, 0, Optional.empty(), false));
    assertThat(evicted).hasSize(19_000);
  }

  @Test
  void sprayOfNamespacesWorkspacesAndWindowsStaysWithinTheBound() {
    RateLimiter limiter = limiter(100);
    for (int i = 0; i < 5_000; i++) {
      limiter.tryAcquire(new LimitRequest(
          new Scope("workspace_" + i % 7, "topic_" + i, 1_000 + i), "user", 10, 1));
      assertThat(limiter.stats().series()).isLessThanOrEqualTo(100);
    }
    assertThat(limiter.store().tableCount()).isLessThanOrEqualTo(100);
  }

  @Test
  void identifierAtItsLimitStaysDeniedDuringASpray() {
    RateLimiter limiter = limiter(1_000);
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.tryAcquire(perMinute("attacker")).allowed()).isTrue();
    }
    for (int i = 0; i < 50_000; i++) {
      limiter.tryAcquire(perMinute("spray_" + i));
    }
    assertThat(limiter.tryAcquire(perMinute("attacker")).allowed()).isFalse();
    assertThat(evicted).doesNotContain("attacker");
  }

  /**
   * Eviction once compared counts alone, so that traffic under high limits evicted series that deny
   * under a low limit.
   */
  @Test
  void seriesAtALowLimitSurvivesSeriesWithHighCountsBelowTheirLimits() {
    RateLimiter limiter = limiter(1_000);
    LimitRequest code = request("user", "one-time codes", Limit.perHour(1));
    assertThat(limiter.tryAcquire(code).allowed()).isTrue();
    assertThat(limiter.tryAcquire(code).allowed()).isFalse();
    for (int i = 0; i < 20_000; i++) {
      limiter.tryAcquire(request("user_" + i, "calls", Limit.perHour(1_000)).withCost(6));
    }
    assertThat(limiter.tryAcquire(code).allowed()).isFalse();
  }

  @Test
  void sprayEvictsFewOfManySeriesAtTheirLimit() {
    RateLimiter limiter = limiter(1_000);
    IntStream.range(0, 500)
        .forEach(i -> limiter.tryAcquire(perMinute("full_" + i).withCost(10)));
    IntStream.range(0, 50_000).forEach(i -> limiter.tryAcquire(perMinute("spray_" + i)));
    assertThat(
            evicted.stream().filter(identifier -> identifier.startsWith("full")).count())
        .isLessThan(25);
  }

  @Test
  void expiredSeriesAreRemovedBeforeLiveOnes() {
    RateLimiter limiter = unsweptLimiter(1_000);
    IntStream.range(0, 500).forEach(i -> limiter.tryAcquire(perMinute("old_" + i)));
    time.advance(Duration.ofMinutes(3)); // expired, also for requests whose clock is behind
    IntStream.range(0, 500).forEach(i -> limiter.tryAcquire(perMinute("live_" + i)));
    IntStream.range(0, 500).forEach(i -> limiter.tryAcquire(perMinute("new_" + i)));
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            1_000, 500, 0, 0, 0, 0, -1, -1, 1_500, 0, false, 0, Optional.empty(), false));
    limiter.tryAcquire(perMinute("one too many"));
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            1_000, 500, 1, 0, 0, 0, -1, -1, 1_501, 0, false, 0, Optional.empty(), false));
  }

  @Test
  void seriesThatExpireAfterAFutileSearchAreFoundByTheNext() {
    RateLimiter limiter = unsweptLimiter(1_000);
    limiter.tryAcquire(request("short", "logins", Limit.perSecond(10)).withCost(10));
    IntStream.range(0, 999)
        .forEach(i -> limiter.tryAcquire(request("user_" + i, "calls", Limit.perDay(10))));
    for (int i = 0; i < 10; i++) { // several rounds of the clock hand without an expired series
      limiter.tryAcquire(request("early_" + i, "calls", Limit.perDay(10)));
    }
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            1_000, 0, 10, 0, 0, 0, -1, -1, 1_010, 0, false, 0, Optional.empty(), false));
    time.advance(Duration.ofSeconds(3));
    limiter.tryAcquire(request("late", "calls", Limit.perDay(10)));
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            1_000, 1, 10, 0, 0, 0, -1, -1, 1_011, 0, false, 0, Optional.empty(), false));
  }

  @Test
  void seriesOfOtherScopesExpireFirstToo() {
    RateLimiter limiter = unsweptLimiter(1_000);
    IntStream.range(0, 900)
        .forEach(i -> limiter.tryAcquire(request("user_" + i, "calls", Limit.perDay(10))));
    IntStream.range(0, 100)
        .forEach(i -> limiter.tryAcquire(request("user_" + i, "logins", Limit.perSecond(10))));
    time.advance(Duration.ofSeconds(3));
    IntStream.range(0, 100)
        .forEach(i -> limiter.tryAcquire(request("new_" + i, "calls", Limit.perDay(10))));
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            1_000, 100, 0, 0, 0, 0, -1, -1, 1_100, 0, false, 0, Optional.empty(), false));
  }

  /**
   * Expiry once used the clock alone, and removed series that still affected requests whose clock
   * was behind.
   */
  @Test
  void seriesStillAffectsRequestsWhoseClockIsLessThanAWindowBehind() {
    for (int seconds = 0; seconds < 180; seconds++) {
      VirtualTime clock = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:30Z"));
      RateLimiter swept = RateLimiter.builder().clock(clock).scheduler(clock).build();
      RateLimiter unswept = unsweptLimiter(10);
      swept.tryAcquire(perMinute("user").withCost(10), clock.millis());
      unswept.tryAcquire(perMinute("user").withCost(10), clock.millis());
      clock.advance(Duration.ofSeconds(seconds));
      long late = clock.millis() - 59_000;
      assertThat(swept.tryAcquire(perMinute("user").withCost(0), late).effectiveCount())
          .as("after %d seconds", seconds)
          .isEqualTo(unswept.tryAcquire(perMinute("user").withCost(0), late).effectiveCount());
    }
  }

  @Test
  void clockSetBackAfterASweepGivesNoFreshBudget() {
    RateLimiter limiter = limiter(1_000);
    assertThat(limiter.tryAcquire(perMinute("user").withCost(10)).allowed()).isTrue();
    time.advance(Duration.ofSeconds(100)); // past the end of the next window
    time.advance(Duration.ofSeconds(-50)); // back into it
    assertThat(limiter.tryAcquire(perMinute("user").withCost(10)).allowed()).isFalse();
  }

  @Test
  void memoryIsReleasedAfterABurst() {
    RateLimiter limiter = limiter(1_000_000);
    IntStream.range(0, 10_000).forEach(i -> limiter.tryAcquire(perMinute("user_" + i)));
    assertThat(limiter.stats().series()).isEqualTo(10_000);
    time.advance(Duration.ofMinutes(3));
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            0, 10_000, 0, 0, 0, 0, -1, -1, 10_000, 0, false, 0, Optional.empty(), false));
    assertThat(limiter.store().tableCount()).isZero();
  }

  /**
   * The clock hand of the evictor once stayed on the table of the burst, and kept it in memory
   * until the next eviction.
   */
  @Test
  void tableOfABurstThatReachedTheBoundIsCollected() {
    RateLimiter limiter = limiter(1_000);
    IntStream.range(0, 2_000).forEach(i -> limiter.tryAcquire(perMinute("user_" + i)));
    WeakReference<Object> table =
        new WeakReference<>(limiter.store().find(perMinute("user").scope()));
    time.advance(Duration.ofMinutes(3));
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (table.get() != null) {
      assertThat(System.nanoTime()).as("still reachable after 30 s").isLessThan(deadline);
      System.gc();
    }
  }

  @Test
  void peeksAndRequestsAboveTheLimitCreateNoSeries() {
    RateLimiter limiter = limiter(1_000);
    limiter.tryAcquire(perMinute("peeks").withCost(0));
    limiter.tryAcquire(perMinute("costs more than the limit").withCost(11));
    limiter.tryAcquireAll(
        List.of(perMinute("peeks").withCost(0), perMinute("too expensive").withCost(11)));
    limiter.gate("acme", "gates", Duration.ofMinutes(1)).take("peeks", 10, 0);
    assertThat(limiter.stats().series()).isZero();
    assertThat(limiter.store().tableCount()).isZero();
    limiter.tryAcquireAll(List.of(perMinute("peeks").withCost(0), perMinute("takes")));
    assertThat(limiter.stats().series()).isEqualTo(1);
  }

  @Test
  void gateKeptWhileAllSeriesExpiredSharesTheCountAfterwards() {
    RateLimiter limiter = limiter(1_000);
    Gate gate = limiter.gate("acme", "login", Duration.ofMinutes(1));
    assertThat(gate.take("user", 10, 4)).isTrue();
    time.advance(Duration.ofHours(1));
    assertThat(limiter.store().tableCount()).isZero();
    assertThat(limiter.tryAcquire(perMinute("user").withCost(4)).allowed()).isTrue();
    assertThat(gate.take("user", 10, 4)).isTrue();
    assertThat(gate.take("user", 10, 4)).isFalse();
    assertThat(limiter.tryAcquire(perMinute("user").withCost(0)).remaining()).isEqualTo(2);
  }

  @Test
  void batchLargerThanTheBoundIsDecidedAndTheSweepRestoresTheBound() {
    RateLimiter limiter = limiter(10);
    List<LimitRequest> batch =
        IntStream.range(0, 1_000).mapToObj(i -> perMinute("user_" + i)).toList();
    assertThat(limiter.tryAcquireAll(batch).allowed()).isTrue();
    assertThat(limiter.stats().series()).isEqualTo(1_000);
    time.advance(Duration.ofSeconds(5));
    assertThat(limiter.stats().series()).isEqualTo(10);
    limiter.tryAcquireAll(batch);
    limiter.tryAcquire(perMinute("one more"));
    assertThat(limiter.stats().series()).isEqualTo(10);
  }

  @Test
  void oneSeriesIsEnoughToDecide() {
    RateLimiter limiter = limiter(1);
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.tryAcquire(perMinute("user_" + i)).remaining()).isEqualTo(9);
    }
    assertThat(limiter.stats())
        .isEqualTo(
            new LimiterStats(1, 0, 99, 0, 0, 0, -1, -1, 100, 0, false, 0, Optional.empty(), false));
  }

  @Test
  void closedLimiterDecidesWithinTheBoundAndDoesNotSweep() {
    RateLimiter limiter = limiter(100);
    limiter.close();
    limiter.close();
    IntStream.range(0, 1_000).forEach(i -> limiter.tryAcquire(perMinute("user_" + i)));
    time.advance(Duration.ofHours(1));
    assertThat(limiter.stats())
        .isEqualTo(new LimiterStats(
            100, 0, 900, 0, 0, 0, -1, -1, 1_000, 0, false, 0, Optional.empty(), false));
  }

  private RateLimiter limiter(int maxSeries) {
    return RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .observer(observer)
        .maxSeries(maxSeries)
        .build();
  }

  /** Without a periodic sweep, requests find the expired series. */
  private RateLimiter unsweptLimiter(int maxSeries) {
    return RateLimiter.builder()
        .clock(time)
        .scheduler((every, work) -> () -> {})
        .maxSeries(maxSeries)
        .build();
  }

  private static LimitRequest perMinute(String identifier) {
    return request(identifier, "login", Limit.perMinute(10));
  }

  private static LimitRequest request(String identifier, String namespace, Limit limit) {
    return LimitRequest.of("acme", namespace, identifier, limit);
  }
}
