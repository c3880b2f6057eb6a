package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).build();

  private final LimitRequest a = LimitRequest.of("acme", "login", "a", Limit.perMinute(10));
  private final LimitRequest b = LimitRequest.of("acme", "login", "b", Limit.perMinute(10));

  @Test
  void takesAllWhenAllAreAllowed() {
    BatchDecision batch = limiter.tryAcquireAll(List.of(a.withCost(3), b.withCost(4)));
    assertThat(batch.allowed()).isTrue();
    assertThat(batch.decisions()).extracting(Decision::remaining).containsExactly(7L, 6L);
    assertThat(used(a)).isEqualTo(3);
    assertThat(used(b)).isEqualTo(4);
  }

  @Test
  void takesNothingWhenOneIsDenied() {
    limiter.tryAcquire(b.withCost(9));
    BatchDecision batch = limiter.tryAcquireAll(List.of(a, b.withCost(5)));
    assertThat(batch.allowed()).isFalse();
    assertThat(batch.decisions()).extracting(Decision::allowed).containsExactly(true, false);
    assertThat(used(a)).isZero();
    assertThat(used(b)).isEqualTo(9);
  }

  @Test
  void allowedEntryOfADeniedBatchIsNotCharged() {
    LimitRequest day = LimitRequest.of("acme", "calls", "user", Limit.perDay(10));
    LimitRequest hour = LimitRequest.of("acme", "calls", "user", Limit.perHour(20));
    limiter.tryAcquireAll(List.of(day.withCost(8), hour.withCost(8)));
    BatchDecision batch = limiter.tryAcquireAll(List.of(day.withCost(3), hour.withCost(3)));
    assertThat(batch.decisions()).extracting(Decision::allowed).containsExactly(false, true);
    assertThat(batch.decisions()).extracting(Decision::remaining).containsExactly(0L, 12L);
    assertThat(batch.decisions()).extracting(Decision::effectiveCount).containsExactly(11L, 8L);
  }

  @Test
  void seriesThatOccursTwiceIsChargedTwice() {
    BatchDecision fits = limiter.tryAcquireAll(List.of(a.withCost(4), b, a.withCost(6)));
    assertThat(fits.allowed()).isTrue();
    assertThat(fits.decisions()).extracting(Decision::remaining).containsExactly(6L, 9L, 0L);
    assertThat(used(a)).isEqualTo(10);
  }

  @Test
  void seriesThatOccursTwiceIsDeniedWhenTheSumExceedsTheLimit() {
    limiter.tryAcquire(a.withCost(5));
    BatchDecision batch = limiter.tryAcquireAll(List.of(a.withCost(3), a.withCost(3)));
    assertThat(batch.allowed()).isFalse();
    assertThat(batch.decisions()).extracting(Decision::allowed).containsExactly(true, false);
    assertThat(batch.decisions()).extracting(Decision::remaining).containsExactly(5L, 0L);
    assertThat(used(a)).isEqualTo(5);
    time.advance(Duration.ofMillis(batch.decisions().get(1).retryAfterMillis() - 1));
    assertThat(limiter.tryAcquireAll(List.of(a.withCost(3), a.withCost(3))).allowed())
        .isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(limiter.tryAcquireAll(List.of(a.withCost(3), a.withCost(3))).allowed())
        .isTrue();
  }

  @Test
  void duplicatesWhoseSumExceedsTheLimitAreNeverAllowed() {
    assertThat(limiter.tryAcquireAll(List.of(a.withCost(6), a.withCost(6))).retryAfterMillis())
        .isEqualTo(Decision.NEVER);
    limiter.tryAcquire(a.withCost(8)); // now the first alone is denied too
    assertThat(limiter.tryAcquireAll(List.of(a.withCost(6), a.withCost(6))).retryAfterMillis())
        .isEqualTo(Decision.NEVER);
  }

  @Test
  void retryAfterOfTheWholeBatchIsExactToTheMillisecond() {
    limiter.tryAcquire(a.withCost(8));
    limiter.tryAcquire(b.withCost(3));
    List<LimitRequest> requests = List.of(a.withCost(3), b.withCost(9), a.withCost(3));
    long wait = limiter.tryAcquireAll(requests).retryAfterMillis();
    time.advance(Duration.ofMillis(wait - 1));
    assertThat(limiter.tryAcquireAll(requests).allowed()).isFalse();
    time.advance(Duration.ofMillis(1));
    BatchDecision admitted = limiter.tryAcquireAll(requests);
    assertThat(admitted.allowed()).isTrue();
    assertThat(admitted.retryAfterMillis()).isZero();
  }

  @Test
  void decisionsHaveTheOrderOfTheRequests() {
    List<LimitRequest> requests = new ArrayList<>(IntStream.range(0, 1_000)
        .mapToObj(i ->
            LimitRequest.of("acme", "topic_" + i % 3, "user_" + i / 3, Limit.perMinute(1_000 + i)))
        .toList());
    Collections.reverse(requests);
    BatchDecision batch = limiter.tryAcquireAll(requests);
    assertThat(batch.allowed()).isTrue();
    for (int i = 0; i < requests.size(); i++) {
      assertThat(batch.decisions().get(i).limit()).isEqualTo(requests.get(i).limit());
      assertThat(used(requests.get(i))).isEqualTo(1);
    }
  }

  @Test
  void seriesThatOccursAThousandTimesIsChargedAThousandTimes() {
    LimitRequest request = LimitRequest.of("acme", "login", "a", Limit.perMinute(1_000));
    assertThat(limiter.tryAcquireAll(Collections.nCopies(1_000, request)).allowed())
        .isTrue();
    assertThat(used(request)).isEqualTo(1_000);
    assertThat(limiter.tryAcquireAll(Collections.nCopies(1_000, request)).allowed())
        .isFalse();
  }

  /** Batches order series by their hashes, which do not tell all series apart. */
  @Test
  void seriesWithTheSameHashAreDifferent() {
    LimitRequest one = LimitRequest.of("acme", "login", "AaBB", Limit.perMinute(10));
    LimitRequest other = LimitRequest.of("acme", "login", "BBAa", Limit.perMinute(10));
    LimitRequest elsewhere = LimitRequest.of("acme", "logIN", "AaBB", Limit.perMinute(10));
    LimitRequest sameElsewhere = LimitRequest.of("acme", "logHm", "AaBB", Limit.perMinute(10));
    assertThat(one.identifier()).hasSameHashCodeAs(other.identifier());
    assertThat(elsewhere.scope()).hasSameHashCodeAs(sameElsewhere.scope());
    List<LimitRequest> requests = List.of(one, other, elsewhere, sameElsewhere, other);
    assertThat(limiter.tryAcquireAll(requests).allowed()).isTrue();
    assertThat(requests).extracting(this::used).containsExactly(1L, 2L, 1L, 1L, 2L);
  }

  @Test
  void listOfTheCallerIsNotChanged() {
    List<LimitRequest> requests = new ArrayList<>(List.of(b, a, b));
    limiter.tryAcquireAll(requests);
    assertThat(requests).containsExactly(b, a, b);
  }

  @Test
  void batchOfPeeksTakesNothing() {
    assertThat(limiter.tryAcquireAll(List.of(a.withCost(0), b.withCost(0))).allowed())
        .isTrue();
    assertThat(used(a)).isZero();
  }

  private long used(LimitRequest request) {
    return limiter.tryAcquire(request.withCost(0)).effectiveCount();
  }
}
