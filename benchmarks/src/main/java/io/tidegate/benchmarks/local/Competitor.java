package io.tidegate.benchmarks.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.tidegate.CoarseClock;
import io.tidegate.Gate;
import io.tidegate.RateLimiter;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.model.LimitRequest;
import io.tidegate.server.activity.Activity;
import io.tidegate.server.observe.Health;
import io.tidegate.server.observe.Metrics;
import io.tidegate.spi.LimiterObserver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * The rate limiters that are compared, with Tidegate in seven variants. The others are used in
 * their fastest way, are keyed by the identifier alone, and share configuration between
 * identifiers.
 */
public enum Competitor {
  /** Through a gate that reads the clock at each decision. */
  TIDEGATE("Tidegate", Competitor::tidegate),
  /** Through a gate, by a caller that has read the clock already, as event loops do. */
  TIDEGATE_GIVEN_TIME("Tidegate, time given", Competitor::tidegateGivenTime),
  /** Through a gate that reads a clock which is set every millisecond. */
  TIDEGATE_COARSE_CLOCK("Tidegate, coarse clock", Competitor::tidegateCoarseClock),
  /** With request and decision objects, reading the clock at each decision. */
  TIDEGATE_DECISION("Tidegate, full decision", Competitor::tidegateDecision),
  /** As the server decides without a console: a full decision that its metrics count. */
  TIDEGATE_METRICS("Tidegate, server's metrics", Competitor::tidegateMetrics),
  /** As the server decides by default: it follows the busiest identifiers too. */
  TIDEGATE_CONSOLE("Tidegate, metrics and console", Competitor::tidegateConsole),
  /** With an origin that has confirmed all counts; only its memory is measured. */
  TIDEGATE_SHARED("Tidegate, shared with other nodes", Competitor::tidegateShared),
  BUCKET4J("bucket4j", Competitor::bucket4j),
  RESILIENCE4J("resilience4j", Competitor::resilience4j),
  GUAVA("Guava", Competitor::guava),
  CAFFEINE("Caffeine window", Competitor::caffeine);

  /**
   * A rate limiter under test. A fork creates one only, so that the compiler can inline its calls.
   *
   * @param meet stores an identifier and takes a token, before anything is measured
   * @param allow requests one token for the arrival at a position
   * @param isSettled whether nothing that was met is in a queue any more
   */
  record Limiter(Consumer<String> meet, IntPredicate allow, BooleanSupplier isSettled) {

    /** A limiter without queues. */
    Limiter(Consumer<String> meet, IntPredicate allow) {
      this(meet, allow, () -> true);
    }
  }

  final String label;

  /** Creates an empty limiter for requests of these arrivals. */
  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  final BiFunction<String[], Quota, Limiter> create;

  Competitor(String label, BiFunction<String[], Quota, Limiter> create) {
    this.label = label;
    this.create = create;
  }

  /** Whether this is Tidegate called otherwise than through a gate that reads the system clock. */
  boolean isVariant() {
    return this == TIDEGATE_GIVEN_TIME
        || this == TIDEGATE_COARSE_CLOCK
        || this == TIDEGATE_DECISION
        || this == TIDEGATE_SHARED
        || isObserved();
  }

  /** Whether this is Tidegate as the server uses it. */
  boolean isObserved() {
    return this == TIDEGATE_METRICS || this == TIDEGATE_CONSOLE;
  }

  /** The competitors without variants. */
  static List<Competitor> products() {
    return Arrays.stream(values()).filter(competitor -> !competitor.isVariant()).toList();
  }

  /** Those that differ in what they store. */
  static List<Competitor> stored() {
    return Arrays.stream(values())
        .filter(competitor -> !competitor.isVariant() || competitor == TIDEGATE_SHARED)
        .toList();
  }

  private static final int ARRIVALS_PER_CLOCK_READ = 1_024;

  private static Limiter tidegate(String[] arrivals, Quota quota) {
    return takes(RateLimiter.inMemory(), arrivals, quota);
  }

  /** The clock is never closed: its thread ends with the JVM of the measurement. */
  private static Limiter tidegateCoarseClock(String[] arrivals, Quota quota) {
    return takes(RateLimiter.builder().clock(CoarseClock.start()).build(), arrivals, quota);
  }

  private static Limiter takes(RateLimiter limiter, String[] arrivals, Quota quota) {
    Gate gate = gate(limiter, quota);
    long limit = quota.tokens();
    return new Limiter(meet(gate, quota), position -> gate.take(arrivals[position], limit, 1));
  }

  private static Limiter tidegateShared(String[] arrivals, Quota quota) {
    RateLimiter limiter = RateLimiter.builder().origin(new ConfirmingOrigin()).build();
    Limiter alone = takes(limiter, arrivals, quota);
    return new Limiter(alone.meet(), alone.allow(), () -> limiter.stats().unconfirmedSeries() == 0);
  }

  private static Limiter tidegateGivenTime(String[] arrivals, Quota quota) {
    Gate gate = gate(RateLimiter.inMemory(), quota);
    long limit = quota.tokens();
    // Written by all threads without synchronization: any recent time is good enough.
    long[] nowMillis = {System.currentTimeMillis()};
    return new Limiter(meet(gate, quota), position -> {
      if (position % ARRIVALS_PER_CLOCK_READ == 0) {
        nowMillis[0] = System.currentTimeMillis();
      }
      return gate.take(arrivals[position], limit, 1, nowMillis[0]);
    });
  }

  private static Limiter tidegateDecision(String[] arrivals, Quota quota) {
    return decisions(RateLimiter.inMemory(), arrivals, quota);
  }

  private static Limiter tidegateMetrics(String[] arrivals, Quota quota) {
    return decisions(RateLimiter.builder().observer(metrics()).build(), arrivals, quota);
  }

  private static Limiter tidegateConsole(String[] arrivals, Quota quota) {
    LimiterObserver activity = new Activity(InstantSource.system(), Metrics.INTERNAL_WORKSPACE);
    return decisions(
        RateLimiter.builder().observer(metrics().andThen(activity)).build(), arrivals, quota);
  }

  private static LimiterObserver metrics() {
    return new Metrics("1.0", "eu", "node", new Health(InstantSource.system())).limiter();
  }

  private static Limiter decisions(RateLimiter limiter, String[] arrivals, Quota quota) {
    Gate gate = gate(limiter, quota);
    LimitRequest[] requests = Arrays.stream(arrivals)
        .map(identifier -> new LimitRequest(gate.scope(), identifier, quota.tokens(), 1))
        .toArray(LimitRequest[]::new);
    return new Limiter(
        meet(gate, quota), position -> limiter.tryAcquire(requests[position]).allowed());
  }

  private static Gate gate(RateLimiter limiter, Quota quota) {
    return limiter.gate("acme", "requests", quota.window());
  }

  /**
   * Also takes a token in the previous window, because a series without one is cheaper to judge.
   */
  private static Consumer<String> meet(Gate gate, Quota quota) {
    return identifier -> {
      long now = System.currentTimeMillis();
      gate.take(identifier, quota.tokens(), 1, now - quota.window().toMillis());
      gate.take(identifier, quota.tokens(), 1, now);
    };
  }

  private static Limiter bucket4j(String[] arrivals, Quota quota) {
    LocalBucketBuilder bucket = Bucket.builder()
        .addLimit(
            limit -> limit.capacity(quota.tokens()).refillGreedy(quota.tokens(), quota.window()));
    return mapped(arrivals, identifier -> bucket.build(), b -> b.tryConsume(1));
  }

  private static Limiter resilience4j(String[] arrivals, Quota quota) {
    RateLimiterConfig config = RateLimiterConfig.custom()
        .limitForPeriod(Math.toIntExact(quota.tokens()))
        .limitRefreshPeriod(quota.window())
        .timeoutDuration(Duration.ZERO) // does not wait for a permission
        .build();
    return mapped(
        arrivals,
        identifier -> io.github.resilience4j.ratelimiter.RateLimiter.of(identifier, config),
        io.github.resilience4j.ratelimiter.RateLimiter::acquirePermission);
  }

  private static Limiter guava(String[] arrivals, Quota quota) {
    double perSecond = (double) quota.tokens() / quota.window().toSeconds();
    return mapped(
        arrivals,
        identifier -> com.google.common.util.concurrent.RateLimiter.create(perSecond),
        com.google.common.util.concurrent.RateLimiter::tryAcquire);
  }

  /** A limiter that needs the identifier only. */
  private static Limiter keyed(String[] arrivals, Predicate<String> allow) {
    Consumer<String> meet = identifier -> {
      boolean unused = allow.test(identifier);
    };
    return new Limiter(meet, position -> allow.test(arrivals[position]));
  }

  /** A limiter per identifier in an unbounded map; Tidegate, in contrast, bounds its memory. */
  private static <T> Limiter mapped(
      String[] arrivals, Function<String, T> create, Predicate<T> take) {
    ConcurrentHashMap<String, T> limiters = new ConcurrentHashMap<>();
    return keyed(arrivals, identifier -> {
      T limiter = limiters.get(identifier);
      if (limiter == null) { // computeIfAbsent alone may lock for keys that are present
        limiter = limiters.computeIfAbsent(identifier, create);
      }
      return take.test(limiter);
    });
  }

  /**
   * A fixed window per cache entry. It begins with the first request of its identifier and ends
   * when the entry expires; the cache reads the clock at every access.
   */
  private static Limiter caffeine(String[] arrivals, Quota quota) {
    long limit = quota.tokens();
    Cache<String, AtomicLong> windows =
        Caffeine.newBuilder().expireAfterWrite(quota.window()).build();
    return keyed(arrivals, identifier -> {
      AtomicLong count = windows.get(identifier, absent -> new AtomicLong());
      long seen;
      do {
        seen = count.get();
      } while (seen < limit && !count.compareAndSet(seen, seen + 1));
      return seen < limit;
    });
  }
}
