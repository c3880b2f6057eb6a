package io.tidegate.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The rate limiters that are compared, Tidegate in several ways among them. Each of the others is
 * used as is fastest for it, is keyed by the identifier alone, and shares between identifiers what
 * it can share.
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
  private final BiFunction<String[], Quota, Limiter> create;

  Competitor(String label, BiFunction<String[], Quota, Limiter> create) {
    this.label = label;
    this.create = create;
  }

  String label() {
    return label;
  }

  /** A limiter that knows nobody yet, to be asked on behalf of these arrivals. */
  Limiter create(String[] arrivals, Quota quota) {
    return create.apply(arrivals, quota);
  }

  /** Whether this is Tidegate asked in one of its ways. */
  boolean isTidegate() {
    return this == TIDEGATE || this == TIDEGATE_GIVEN_TIME || this == TIDEGATE_DECISION;
  }

  /** Whether this is Tidegate asked otherwise than by a gate that reads the clock. */
  boolean isVariant() {
    return isTidegate() && this != TIDEGATE;
  }

  /** Tidegate once, and the others: those that differ in what they store. */
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
        .timeoutDuration(Duration.ZERO) // answers at once instead of waiting for a permission
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
