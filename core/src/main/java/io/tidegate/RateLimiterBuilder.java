package io.tidegate;

import io.tidegate.model.Bounds;
import io.tidegate.model.LimiterStats;
import io.tidegate.runtime.SystemScheduler;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link RateLimiter}: {@code RateLimiter.builder().maxSeries(100_000).build()}. Every
 * setting has a default.
 */
public final class RateLimiterBuilder {

  InstantSource clock = InstantSource.system();
  Scheduler scheduler = SystemScheduler.shared();
  LimiterObserver observer = LimiterObserver.NONE;
  int maxSeries = 1_000_000;

  @Nullable
  String region;

  @Nullable
  String node;

  @Nullable
  RegionalOrigin origin;

  @Nullable
  GlobalCounters globalCounters;

  PushPolicy pushPolicy = PushPolicy.adaptive();

  RateLimiterBuilder() {}

  /**
   * Shares the counts with the other nodes of the region:
   * {@code builder.origin(RedisOrigin.connect("redis://..."))}. The limiter closes the origin.
   *
   * @param origin the counts shared by the nodes of the region
   * @return this builder
   */
  public RateLimiterBuilder origin(RegionalOrigin origin) {
    this.origin = Objects.requireNonNull(origin, "origin must not be null");
    return this;
  }

  /**
   * Shares the counts with other regions:
   * {@code builder.region("eu").globalCounters(JdbcGlobalCounters.connect("jdbc:mariadb://..."))}.
   * The limiter closes them. A region of several nodes needs an {@link #origin} too: otherwise the
   * nodes push separate counts under one name, and other regions see the greatest of them only.
   *
   * @param globalCounters the counts shared by regions
   * @return this builder
   */
  public RateLimiterBuilder globalCounters(GlobalCounters globalCounters) {
    this.globalCounters = Objects.requireNonNull(globalCounters, "globalCounters must not be null");
    return this;
  }

  /**
   * Sets which counts are pushed to other regions, and how often:
   * {@code builder.pushPolicy(PushPolicy.adaptive(Duration.ofSeconds(5)))}. All nodes of all
   * regions should use the same policy.
   *
   * @param pushPolicy by default {@link PushPolicy#adaptive()}
   * @return this builder
   */
  public RateLimiterBuilder pushPolicy(PushPolicy pushPolicy) {
    this.pushPolicy = Objects.requireNonNull(pushPolicy, "pushPolicy must not be null");
    PushPolicy.checkInterval(pushPolicy.interval());
    PushPolicy.checkShortestWindow(pushPolicy.shortestWindow());
    return this;
  }

  /**
   * Names the region of this node: {@code builder.region("eu")}. Nodes with the same origin and
   * different regions do not share counts. The default is {@code default}. With global counters,
   * every region needs a unique name, of at most 48 characters and without leading or trailing
   * blanks.
   *
   * @param region 1 to 512 characters
   * @return this builder
   */
  public RateLimiterBuilder region(String region) {
    this.region = Bounds.checkName("region", region);
    return this;
  }

  /**
   * Names this node: {@code builder.node(podName + "-" + startedAt)}. The name must be unique in
   * the region and over time: a node takes all counts under its name for its own. The default is
   * random.
   *
   * @param node 1 to 256 characters
   * @return this builder
   */
  public RateLimiterBuilder node(String node) {
    this.node = NodeIdentity.checkNode(node);
    return this;
  }

  /**
   * Bounds the memory: {@code builder.maxSeries(100_000)}.
   *
   * <p>A new series beyond the bound replaces an expired one, or else a live one with low counts
   * that denies no requests; {@link LimiterStats#evictedSeries} counts these evictions. Unless an
   * origin holds its counts, the identifier of an evicted series starts with its full limit again.
   * Concurrent requests may exceed the bound for some seconds.
   *
   * @param maxSeries most series in memory, at least 1; by default 1,000,000
   * @return this builder
   */
  public RateLimiterBuilder maxSeries(int maxSeries) {
    if (maxSeries < 1) {
      throw new IllegalArgumentException("maxSeries must be at least 1: " + maxSeries);
    }
    this.maxSeries = maxSeries;
    return this;
  }

  /**
   * Sets the clock: {@code builder.clock(Clock.systemUTC())}. A {@link CoarseClock} is cheaper to
   * read and about a millisecond late.
   *
   * @param clock by default the system clock
   * @return this builder
   */
  public RateLimiterBuilder clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock must not be null");
    return this;
  }

  /**
   * Sets the scheduler of the periodic work: {@code builder.scheduler(virtualTime)}.
   *
   * @param scheduler by default one daemon thread for all limiters of the JVM
   * @return this builder
   */
  public RateLimiterBuilder scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler must not be null");
    return this;
  }

  /**
   * Sets the observer of decisions and events: {@code builder.observer(metrics)}.
   *
   * @param observer by default none
   * @return this builder
   */
  public RateLimiterBuilder observer(LimiterObserver observer) {
    this.observer = Objects.requireNonNull(observer, "observer must not be null");
    return this;
  }

  /**
   * Builds the limiter: {@code builder.build()}.
   *
   * @return the limiter
   */
  public RateLimiter build() {
    return new RateLimiter(this);
  }
}
