package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.Writer;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A clock that jumps ahead or back neither locks a series nor gives it a fresh budget. */
class ClockTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:10Z"));
  private final LimitRequest request =
      LimitRequest.of("acme", "login", "user", Limit.perMinute(100));

  private RateLimiter limiter() {
    return RateLimiter.builder().clock(time).scheduler(time).build();
  }

  @Test
  void requestAnHourAheadDoesNotLockTheSeries() {
    RateLimiter limiter = limiter();
    LimitRequest ten = LimitRequest.of("acme", "login", "user", Limit.perMinute(10));
    limiter.tryAcquire(ten, time.millis() + 3_600_000);
    long admitted = 0;
    for (int i = 0; i < 100; i++) {
      admitted += limiter.tryAcquire(ten).allowed() ? 1 : 0;
      time.advance(Duration.ofSeconds(7));
    }
    assertThat(admitted).isGreaterThanOrEqualTo(98); // 9 if the series stayed an hour ahead
  }

  @Test
  void gatesAndBatchesReturnToThePresentToo() {
    for (boolean batch : new boolean[] {false, true}) {
      RateLimiter limiter = limiter();
      Gate gate = limiter.gate(request.scope());
      gate.take("user", 100, 100, time.millis() + 3_600_000);
      time.advance(Duration.ofSeconds(60));
      gate.take("user", 100, 1);
      time.advance(Duration.ofSeconds(110)); // one window later
      assertThat(
              batch ? limiter.tryAcquireAll(List.of(request)).allowed() : gate.take("user", 100, 1))
          .isTrue();
    }
  }

  @Test
  void clockSetBackGivesNoFreshBudget() {
    RateLimiter limiter = limiter();
    limiter.tryAcquire(request.withCost(100));
    time.advance(Duration.ofHours(-5));
    assertThat(limiter.tryAcquire(request).allowed()).isFalse();
    time.advance(Duration.ofMinutes(2));
    assertThat(limiter.tryAcquire(request.withCost(100)).allowed()).isTrue();
  }

  @Test
  void timeLessThanAWindowBeforeTheCellCountsAsItsStart() {
    RateLimiter limiter = limiter();
    limiter.tryAcquire(request.withCost(100));
    time.advance(Duration.ofMinutes(-1));
    assertThat(limiter.tryAcquire(request).resetAtMillis())
        .isEqualTo(Instant.parse("2030-01-01T00:01:00Z").toEpochMilli());
  }

  /** A delayed thread decides with an old time, while the clock has the current one. */
  @Test
  void lateRequestDoesNotMoveTheCell() {
    RateLimiter limiter = limiter();
    long late = time.millis();
    time.advance(Duration.ofMinutes(10));
    limiter.tryAcquire(request.withCost(60));
    assertThat(limiter.tryAcquire(request, late).remaining()).isEqualTo(39);
    assertThat(limiter.tryAcquire(request).remaining()).isEqualTo(38);
  }

  /** Another region needs the count when it reaches that time. */
  @Test
  void countsInTheFutureReachOtherRegions() {
    InMemoryGlobalCounters counters = new InMemoryGlobalCounters();
    RateLimiter eu = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region("eu")
        .globalCounters(counters)
        .build();
    time.advance(Duration.ofSeconds(1));
    long ahead = time.millis() + 120_000;
    eu.tryAcquire(request.withCost(40), ahead);
    eu.tryAcquire(request); // returns to the present before the push
    time.advance(Duration.ofSeconds(5));
    assertThat(counters.pushes())
        .contains(
            new Component("eu", WindowCell.at(new Series(request.scope(), "user"), ahead), 40));
  }

  /** The origin has the counts of the present from before the clock jumped ahead. */
  @Test
  void originRestoresTheCountsOfThePresent() {
    InMemoryOrigin origin = new InMemoryOrigin();
    RateLimiter node = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region("eu")
        .origin(origin)
        .build();
    node.tryAcquire(request.withCost(90));
    time.advance(Duration.ofMillis(10));
    node.tryAcquire(request, time.millis() + 3_600_000);
    time.advance(Duration.ofMillis(10));
    assertThat(node.tryAcquire(request.withCost(0)).remaining())
        .isEqualTo(9); // 90 in the present, 1 in the future
    node.tryAcquire(request.withCost(5));
    time.advance(Duration.ofMillis(10));
    RateLimiter other = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region("eu")
        .origin(origin)
        .build();
    assertThat(other.tryAcquire(request.withCost(0)).remaining()).isEqualTo(5);
  }

  /** An answer about a window that the series is not in any more only confirms what was sent. */
  @Test
  void windowThatASeriesWasMovedOutOfIsReadWhenTheClockComesToItAgain() {
    InMemoryOrigin origin = new InMemoryOrigin();
    RateLimiter node = RateLimiter.builder()
        .clock(time)
        .scheduler(time)
        .region("eu")
        .origin(origin)
        .build();
    WindowCell left = WindowCell.at(new Series(request.scope(), "user"), time.millis());
    origin.fail(new IllegalStateException("broken by a test"));
    node.tryAcquire(request.withCost(10)); // not confirmed
    time.advance(Duration.ofSeconds(-130));
    node.tryAcquire(request); // moves the series
    origin.fail(null);
    origin.replay(List.of(new OwnCount(new Writer("eu", "peer"), left, 80)));
    time.advance(Duration.ofSeconds(2));
    assertThat(origin.total("eu", left)).as("replayed, and answered").isEqualTo(90);
    time.advance(Duration.ofMinutes(2));
    Decision decision = node.tryAcquire(request.withCost(5));
    assertThat(decision.effectiveCount()).isEqualTo(95);
    assertThat(decision.source()).isEqualTo(Decision.Source.ORIGIN);
  }
}
