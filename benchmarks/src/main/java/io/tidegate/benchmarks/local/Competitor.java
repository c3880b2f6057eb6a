package io.tidegate.benchmarks.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.tidegate.benchmarks.load.Quota;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The rate limiters that are compared, with Tidegate in three variants. The others are used in
 * their fastest way, are keyed by the identifier alone, and share configuration between
 * identifiers.
 */
public enum Competitor {
  TIDEGATE("Tidegate", TidegateLimiter::new),
  TIDEGATE_GIVEN_TIME("Tidegate, time given", TidegateLimiter.AtGivenTime::new),
  TIDEGATE_DECISION("Tidegate, full decision", TidegateLimiter.WithDecision::new),
  BUCKET4J("bucket4j", Competitor::bucket4j),
  RESILIENCE4J("resilience4j", Competitor::resilience4j),
  GUAVA("Guava", Competitor::guava),
  CAFFEINE("Caffeine window", CaffeineWindow::new);

  final String label;

  /** Creates an empty limiter for requests of these arrivals. */
  @SuppressWarnings("ImmutableEnumChecker") // a constructor, which has no state
  final BiFunction<String[], Quota, Limiter> create;

  Competitor(String label, BiFunction<String[], Quota, Limiter> create) {
    this.label = label;
    this.create = create;
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
    return new Mapped<>(arrivals, identifier -> bucket.build(), b -> b.tryConsume(1));
  }

  private static Limiter resilience4j(String[] arrivals, Quota quota) {
    RateLimiterConfig config = RateLimiterConfig.custom()
        .limitForPeriod(Math.toIntExact(quota.tokens()))
        .limitRefreshPeriod(quota.window())
        .timeoutDuration(Duration.ZERO) // does not wait for a permission
        .build();
    return new Mapped<>(
        arrivals,
        identifier -> io.github.resilience4j.ratelimiter.RateLimiter.of(identifier, config),
        io.github.resilience4j.ratelimiter.RateLimiter::acquirePermission);
  }

  private static Limiter guava(String[] arrivals, Quota quota) {
    double perSecond = (double) quota.tokens() / quota.window().toSeconds();
    return new Mapped<>(arrivals, id -> RateLimiter.create(perSecond), RateLimiter::tryAcquire);
  }

  /** A limiter per identifier in an unbounded map; Tidegate, in contrast, bounds its memory. */
  private static final class Mapped<T> extends Limiter {

    private final ConcurrentHashMap<String, T> limiters = new ConcurrentHashMap<>();
    private final Function<String, T> create;
    private final Predicate<T> take;

    Mapped(String[] arrivals, Function<String, T> create, Predicate<T> take) {
      super(arrivals);
      this.create = create;
      this.take = take;
    }

    @Override
    boolean allow(String identifier) {
      T limiter = limiters.get(identifier);
      if (limiter == null) { // computeIfAbsent alone may lock for keys that are present
        limiter = limiters.computeIfAbsent(identifier, create);
      }
      return take.test(limiter);
    }
  }

  /**
   * A fixed window per cache entry. It begins with the first request of its identifier and ends
   * when the entry expires; the cache reads the clock at every access.
   */
  private static final class CaffeineWindow extends Limiter {

    private final Cache<String, AtomicLong> windows;
    private final long limit;

    CaffeineWindow(String[] arrivals, Quota quota) {
      super(arrivals);
      this.limit = quota.tokens();
      this.windows = Caffeine.newBuilder().expireAfterWrite(quota.window()).build();
    }

    @Override
    boolean allow(String identifier) {
      AtomicLong count = windows.get(identifier, absent -> new AtomicLong());
      while (true) {
        long seen = count.get();
        if (seen >= limit) {
          return false;
        }
        if (count.compareAndSet(seen, seen + 1)) {
          return true;
        }
      }
    }
  }
}
