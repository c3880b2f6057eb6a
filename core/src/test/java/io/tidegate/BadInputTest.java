package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.spi.PushPolicy;
import io.tidegate.testing.InMemoryGlobalCounters;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values out of range are rejected with a message that shows them, and nothing is counted. */
class BadInputTest {

  private static final long TOO_MANY = Bounds.MAX_TOKENS + 1;
  private static final long TOO_LATE = Bounds.MAX_TIME_MILLIS + 1;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final RateLimiter LIMITER = RateLimiter.inMemory();
  private static final Gate GATE = LIMITER.gate("acme", "login", MINUTE);
  private static final LimitRequest REQUEST =
      LimitRequest.of("acme", "login", "user", Limit.perMinute(10));

  static Stream<Arguments> outOfRange() {
    String tokens = " must be between 0 and 1000000000000: ";
    String time = "time in milliseconds must be between -1000000000000000 and 1000000000000000: ";
    String batch = "number of requests in a batch must be between 1 and 1000: ";
    return Stream.of(
        rejected(() -> Limit.perMinute(-1), "limit" + tokens + "-1"),
        rejected(() -> Limit.perMinute(TOO_MANY), "limit" + tokens + TOO_MANY),
        rejected(() -> Limit.perSecond(Long.MIN_VALUE), "limit" + tokens + Long.MIN_VALUE),
        rejected(
            () -> new Limit(1, 999),
            "window in milliseconds must be between 1000 and 31622400000: 999"),
        rejected(
            () -> new Limit(1, -1),
            "window in milliseconds must be between 1000 and 31622400000: -1"),
        rejected(
            () -> new Scope("w", "n", 31_622_400_001L),
            "window in milliseconds must be between 1000 and 31622400000: 31622400001"),
        rejected(
            () -> Limit.of(1, Duration.ofMillis(999)),
            "window must be between PT1S and PT8784H: PT0.999S"),
        rejected(
            () -> Limit.of(1, Duration.ofDays(367)),
            "window must be between PT1S and PT8784H: PT8808H"),
        rejected(
            () -> Limit.of(1, Duration.ofSeconds(Long.MAX_VALUE)),
            "window must be between PT1S and PT8784H: PT2562047788015215H30M7S"),
        rejected(
            () -> Limit.of(1, Duration.ofSeconds(2, 1)),
            "window must be of whole milliseconds: PT2.000000001S"),
        rejected(
            () -> Scope.of("w", "n", Duration.ZERO),
            "window must be between PT1S and PT8784H: PT0S"),
        rejected(() -> Scope.of("", "n", MINUTE), "workspace must not be empty"),
        rejected(() -> Scope.of("w", "", MINUTE), "namespace must not be empty"),
        rejected(
            () -> LimitRequest.of("w", "n", "", Limit.perMinute(1)),
            "identifier must not be empty"),
        rejected(
            () -> Scope.of("x".repeat(513), "n", MINUTE),
            "workspace must have at most 512 characters, it has 513: " + "x".repeat(32) + "..."),
        rejected(() -> REQUEST.withCost(-3), "cost" + tokens + "-3"),
        rejected(() -> REQUEST.withCost(TOO_MANY), "cost" + tokens + TOO_MANY),
        rejected(() -> LIMITER.tryAcquire(REQUEST, TOO_LATE), time + TOO_LATE),
        rejected(() -> LIMITER.tryAcquire(REQUEST, -TOO_LATE), time + -TOO_LATE),
        rejected(() -> LIMITER.tryAcquireAsync(REQUEST, TOO_LATE), time + TOO_LATE),
        rejected(() -> LIMITER.tryAcquireAll(List.of(REQUEST), TOO_LATE), time + TOO_LATE),
        rejected(() -> LIMITER.tryAcquireAll(List.of()), batch + "0"),
        rejected(() -> LIMITER.tryAcquireAll(Collections.nCopies(1_001, REQUEST)), batch + "1001"),
        rejected(() -> LIMITER.tryAcquireAllAsync(List.of()), batch + "0"),
        rejected(() -> GATE.take("user", -1, 1), "limit" + tokens + "-1"),
        rejected(() -> GATE.take("user", TOO_MANY, 1), "limit" + tokens + TOO_MANY),
        rejected(() -> GATE.take("user", 10, -1), "cost" + tokens + "-1"),
        rejected(() -> GATE.take("user", 10, TOO_MANY), "cost" + tokens + TOO_MANY),
        rejected(() -> GATE.take("", 10, 1), "identifier must not be empty"),
        rejected(() -> GATE.take("user", 10, 1, TOO_LATE), time + TOO_LATE),
        rejected(() -> GATE.tryAcquire("user", 10, -1), "cost" + tokens + "-1"),
        rejected(() -> GATE.tryAcquire("user", 10, 1, -TOO_LATE), time + -TOO_LATE),
        rejected(() -> RateLimiter.builder().maxSeries(0), "maxSeries must be at least 1: 0"),
        rejected(
            () -> new Decision(true, 1, 1, 1, 5, 1, Decision.Source.LOCAL, false),
            "retryAfterMillis must be 0 if and only if allowed: 5"),
        rejected(
            () -> new Decision(false, 1, -7, 1, 5, 1, Decision.Source.LOCAL, false),
            "limit, remaining, retryAfterMillis and effectiveCount must not be negative: 1, -7, 5, 1"),
        rejected(
            () -> new BatchDecision(false, List.of()),
            "a batch is allowed if and only if all its decisions are: []"),
        rejected(
            () -> VirtualTime.startingAt(Instant.EPOCH).every(Duration.ZERO, () -> {}),
            "interval must be at least a millisecond: PT0S"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("outOfRange")
  void valueOutOfRangeIsRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    assertThat(LIMITER.stats().series()).isZero();
  }

  static Stream<Arguments> absent() {
    List<LimitRequest> withAbsent = new ArrayList<>(List.of(REQUEST));
    withAbsent.add(null);
    return Stream.of(
        rejected(() -> LIMITER.tryAcquire(null), "request must not be null"),
        rejected(() -> LIMITER.tryAcquire(null, 1), "request must not be null"),
        rejected(() -> LIMITER.tryAcquireAsync(null), "request must not be null"),
        rejected(() -> LIMITER.tryAcquireAll(null), "requests must not be null"),
        rejected(() -> LIMITER.tryAcquireAllAsync(null), "requests must not be null"),
        rejected(
            () -> LIMITER.tryAcquireAll(withAbsent), "request 1 of the batch must not be null"),
        rejected(() -> LIMITER.gate(null), "scope must not be null"),
        rejected(() -> LIMITER.gate("w", "n", null), "window must not be null"),
        rejected(() -> LIMITER.gate(null, "n", MINUTE), "workspace must not be null"),
        rejected(() -> LIMITER.gate("w", null, MINUTE), "namespace must not be null"),
        rejected(() -> GATE.take(null, 10, 1), "identifier must not be null"),
        rejected(() -> GATE.tryAcquire(null, 10, 1), "identifier must not be null"),
        rejected(() -> LimitRequest.of("w", "n", "i", null), "limit must not be null"),
        rejected(
            () -> LimitRequest.of("w", "n", null, Limit.perDay(1)), "identifier must not be null"),
        rejected(() -> new LimitRequest(null, "i", 1, 1), "scope must not be null"),
        rejected(() -> Limit.of(1, null), "window must not be null"),
        rejected(() -> Bounds.checkName("workspace", null), "workspace must not be null"),
        rejected(() -> RateLimiter.builder().clock(null), "clock must not be null"),
        rejected(() -> RateLimiter.builder().scheduler(null), "scheduler must not be null"),
        rejected(() -> RateLimiter.builder().observer(null), "observer must not be null"),
        rejected(() -> new Decision(true, 1, 1, 1, 0, 1, null, false), "source must not be null"),
        rejected(() -> new BatchDecision(true, null), "decisions must not be null"),
        rejected(() -> VirtualTime.startingAt(null), "start must not be null"),
        rejected(
            () -> VirtualTime.startingAt(Instant.EPOCH).advance(null), "duration must not be null"),
        rejected(
            () -> VirtualTime.startingAt(Instant.EPOCH).every(null, () -> {}),
            "interval must not be null"),
        rejected(
            () -> VirtualTime.startingAt(Instant.EPOCH).every(MINUTE, null),
            "work must not be null"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("absent")
  void nullIsRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(message);
    assertThat(LIMITER.stats().series()).isZero();
  }

  @Test
  void boundsThemselvesAreAccepted() {
    assertThatCode(() -> {
          RateLimiter limiter = RateLimiter.inMemory();
          String longest = "x".repeat(512);
          limiter.tryAcquire(
              LimitRequest.of(longest, longest, longest, new Limit(Bounds.MAX_TOKENS, 1_000)));
          limiter.tryAcquire(LimitRequest.of("w", "n", "i", new Limit(0, Bounds.MAX_WINDOW_MILLIS))
              .withCost(0));
          limiter.tryAcquire(REQUEST, Bounds.MAX_TIME_MILLIS);
          limiter.tryAcquire(REQUEST, -Bounds.MAX_TIME_MILLIS);
          limiter.tryAcquireAll(Collections.nCopies(1_000, REQUEST));
        })
        .doesNotThrowAnyException();
  }

  @Test
  void lengthIsCountedInCodePoints() {
    String wave = "🌊"; // two chars, one code point
    assertThatCode(() -> GATE.take(wave.repeat(512), 10, 0)).doesNotThrowAnyException();
    assertThatThrownBy(() -> GATE.take(wave.repeat(513), 10, 0))
        .hasMessageStartingWith("identifier must have at most 512 characters, it has 513: ");
  }

  @Test
  void globalCountersNeedARegionName() {
    RateLimiterBuilder builder = RateLimiter.builder().globalCounters(new InMemoryGlobalCounters());
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "global counters need the region of this node: call region(\"eu\"), with a name that no other region has");
    assertThatThrownBy(() -> builder.region("")).hasMessage("region must not be empty");
    assertThatThrownBy(() -> builder.region("r".repeat(49)).build())
        .hasMessage(
            "with global counters, region must have at most 48 characters: " + "r".repeat(49));
    assertThatThrownBy(() -> builder.region("e\ud83d").build())
        .hasMessageStartingWith("with global counters, region must be text");
    assertThatCode(() -> builder.region("🌊".repeat(48)).build().close())
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> builder.globalCounters(null))
        .hasMessage("globalCounters must not be null");
    assertThatThrownBy(() -> builder.pushPolicy(null)).hasMessage("pushPolicy must not be null");
  }

  @Test
  void intervalOfAPolicyIsBounded() {
    PushPolicy restless = new PushPolicy() {
      @Override
      public Duration interval() {
        return Duration.ZERO;
      }

      @Override
      public boolean isWorthPushing(CellUse use) {
        return true;
      }
    };
    assertThatThrownBy(() -> RateLimiter.builder().pushPolicy(restless))
        .hasMessage("interval must be between PT0.1S and PT1H: PT0S");
  }

  private static Arguments rejected(ThrowingCallable call, String message) {
    return Arguments.of(call, message);
  }
}
