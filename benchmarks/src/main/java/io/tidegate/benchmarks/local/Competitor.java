package io.tidegate.benchmarks.local;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.tidegate.benchmarks.load.Quota;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The rate limiters that are compared, with Tidegate in three variants. The others are used in
 * their fastest way, are keyed by the identifier alone, and share configuration between
 * identifiers.
 */
public enum Competitor {
  TIDEGATE("Tidegate", TidegateLimiter.ThroughGate::new),
  TIDEGATE_GIVEN_TIME("Tidegate, time given", TidegateLimiter.AtGivenTime::new),
  TIDEGATE_DECISION("Tidegate, full decision", TidegateLimiter.WithDecision::new),
  BUCKET4J("bucket4j", Competitor::bucket4j),
  RESILIENCE4J("resilience4j", Competitor::resilience4j),
  GUAVA("Guava", Competitor::guava),
  CAFFEINE("Caffeine window", CaffeineWindow::new);

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor, which has no state
  private final BiFunction<String[], Quota, Limiter> create;

  Competitor(String label, BiFunction<String[], Quota, Limiter> create) {
    this.label = label;
    this.create = create;
  }

  String label() {
    return label;
  }

  /** Creates an empty limiter for requests of these arrivals. */
  Limiter create(String[] arrivals, Quota quota) {
    return create.apply(arrivals, quota);
  }

  /** Whether this is Tidegate called otherwise than through a gate that reads the clock. */
  boolean isVariant() {
    return this == TIDEGATE_GIVEN_TIME || this == TIDEGATE_DECISION;
  }

  /** The competitors without variants: those that differ in what they store. */
  static List<Competitor> products() {
    return Arrays.stream(values()).filter(competitor -> !competitor.isVariant()).toList();
  }

  private static Limiter bucket4j(String[] arrivals, Quota quota) {
    LocalBucketBuilder bucket = Bucket.builder()
        .addLimit(
            limit -> limit.capacity(quota.tokens()).refillGreedy(quota.tokens(), quota.window()));
    return new MappedLimiter<>(arrivals, identifier -> bucket.build(), b -> b.tryConsume(1));
  }

  private static Limiter resilience4j(String[] arrivals, Quota quota) {
    RateLimiterConfig config = RateLimiterConfig.custom()
        .limitForPeriod(Math.toIntExact(quota.tokens()))
        .limitRefreshPeriod(quota.window())
        .timeoutDuration(Duration.ZERO) // does not wait for a permission
        .build();
    return new MappedLimiter<>(
        arrivals,
        identifier -> io.github.resilience4j.ratelimiter.RateLimiter.of(identifier, config),
        io.github.resilience4j.ratelimiter.RateLimiter::acquirePermission);
  }

  private static Limiter guava(String[] arrivals, Quota quota) {
    return new MappedLimiter<>(
        arrivals,
        identifier -> RateLimiter.create(quota.tokensPerSecond()),
        RateLimiter::tryAcquire);
  }
}
