package io.tidegate;

import io.tidegate.global.GlobalLayer;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.regional.Refresher;
import io.tidegate.regional.RegionalLayer;
import io.tidegate.runtime.SystemScheduler;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether requests are within their limits. One limiter serves all threads, tenants and
 * limits of a process; the {@linkplain io.tidegate package page} explains how it counts.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.inMemory();
 * Decision decision = limiter.tryAcquire(LimitRequest.of("acme", "login", "user_42", Limit.perMinute(10)));
 * if (!decision.allowed()) {
 *   reject(decision.retryAfter());
 * }
 * }</pre>
 *
 * <p>Invalid arguments throw before anything is counted. A denial is a {@link Decision}.
 */
public final class RateLimiter implements AutoCloseable {

  private final InstantSource clock;
  private final SeriesStore store;

  private final @Nullable RegionalLayer regional; // null without an origin
  private final @Nullable GlobalLayer global; // null without global counters
  private final Decider decider;
  private final PeriodicWork periodicWork;

  private RateLimiter(Builder builder) {
    this.clock = builder.clock;
    Scheduler scheduler = builder.scheduler;
    LimiterObserver observer = SafeObserver.of(builder.observer, scheduler);
    RegionalOrigin origin = builder.origin;
    GlobalCounters counters = builder.globalCounters;
    String node = NodeIdentity.nodeOrRandom(builder.node);
    String region = NodeIdentity.region(builder.region, counters != null);
    Refresher refresher =
        origin == null ? null : new Refresher(origin, region, node, clock, scheduler, observer);
    this.store = new SeriesStore(
        builder.maxSeries,
        origin != null,
        counters == null ? null : builder.pushPolicy.shortestWindow(),
        new SeriesEvents(observer, refresher),
        clock::millis);
    this.regional = refresher == null
        ? null
        : new RegionalLayer(store, refresher, counters != null, clock, scheduler, observer);
    this.global = counters == null
        ? null
        : new GlobalLayer(
            store,
            counters,
            regional,
            builder.pushPolicy,
            region,
            node,
            clock,
            scheduler,
            observer);
    this.decider = new Decider(store, regional, observer);
    this.periodicWork = new PeriodicWork(scheduler);
    periodicWork.start(SeriesStore.SWEEP_INTERVAL, store, SeriesStore::sweep);
    if (regional != null) {
      periodicWork.start(RegionalLayer.TICK, regional, RegionalLayer::tick);
    }
    if (global != null) {
      periodicWork.start(GlobalLayer.TICK, global, GlobalLayer::tick);
    }
  }

  /**
   * A limiter with all defaults, for one process: {@code RateLimiter limiter =
   * RateLimiter.inMemory();}
   *
   * @return the limiter
   */
  public static RateLimiter inMemory() {
    return builder().build();
  }

  /**
   * Starts to build a limiter: {@code RateLimiter.builder().maxSeries(100_000).build()}.
   *
   * @return a builder with all defaults
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Admits the request if its limit has room for its cost:
   * {@code limiter.tryAcquire(request).allowed()}. With an origin, may wait up to 300 ms for it.
   *
   * @param request the request
   * @return the decision
   */
  public Decision tryAcquire(LimitRequest request) {
    return tryAcquire(request, nowMillis());
  }

  /**
   * As {@link #tryAcquire(LimitRequest)}, at a given time: {@code limiter.tryAcquire(request,
   * clock.millis())}.
   *
   * <p>A time before the current window of a series counts as the start of that window. The time
   * must agree with the limiter's clock within a window, because series expire by that clock. To
   * simulate other times, build a limiter with its own {@code clock}.
   *
   * @param request the request
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the decision
   */
  public Decision tryAcquire(LimitRequest request, long nowMillis) {
    return decider.decide(request, nowMillis);
  }

  /**
   * {@link #tryAcquire} for callers that must not block:
   * {@code limiter.tryAcquireAsync(request).thenAccept(this::answer)}. Dependent stages run on the
   * thread that completes the read of the origin and must not block it; use {@code thenAcceptAsync}
   * for stages that block.
   *
   * @param request the request
   * @return the decision; complete already if it needed no read of the origin
   */
  public CompletionStage<Decision> tryAcquireAsync(LimitRequest request) {
    return tryAcquireAsync(request, nowMillis());
  }

  /**
   * As {@link #tryAcquireAsync(LimitRequest)}, at a given time:
   * {@code limiter.tryAcquireAsync(request, clock.millis())}.
   *
   * @param request the request
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the decision; complete already if it needed no read of the origin
   */
  public CompletionStage<Decision> tryAcquireAsync(LimitRequest request, long nowMillis) {
    return decider.decideAsync(request, nowMillis);
  }

  /**
   * Admits all requests, or none if a limit has no room:
   * {@code limiter.tryAcquireAll(List.of(perUser, perAccount)).allowed()}.
   *
   * <p>The batch is atomic. Several requests may be for the same series; each is then checked
   * against what those before it leave.
   *
   * @param requests 1 to 1000 requests
   * @return the decision
   */
  public BatchDecision tryAcquireAll(List<LimitRequest> requests) {
    return tryAcquireAll(requests, nowMillis());
  }

  /**
   * As {@link #tryAcquireAll(List)}, at a given time: {@code limiter.tryAcquireAll(requests,
   * clock.millis())}.
   *
   * @param requests 1 to 1000 requests
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the decision
   */
  public BatchDecision tryAcquireAll(List<LimitRequest> requests, long nowMillis) {
    return decider.decideAll(requests, nowMillis);
  }

  /**
   * {@link #tryAcquireAll} for callers that must not block:
   * {@code limiter.tryAcquireAllAsync(requests).thenAccept(this::answer)}.
   *
   * @param requests 1 to 1000 requests
   * @return the decision; complete already if it needed no read of the origin
   */
  public CompletionStage<BatchDecision> tryAcquireAllAsync(List<LimitRequest> requests) {
    return tryAcquireAllAsync(requests, nowMillis());
  }

  /**
   * As {@link #tryAcquireAllAsync(List)}, at a given time:
   * {@code limiter.tryAcquireAllAsync(requests, clock.millis())}.
   *
   * @param requests 1 to 1000 requests
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the decision; complete already if it needed no read of the origin
   */
  public CompletionStage<BatchDecision> tryAcquireAllAsync(
      List<LimitRequest> requests, long nowMillis) {
    return decider.decideAllAsync(requests, nowMillis);
  }

  /**
   * A view of this limiter for one scope, which callers may keep and which can decide without
   * allocating: {@code limiter.gate("acme", "login", Duration.ofMinutes(1)).take("user_42", 10,
   * 1)}.
   *
   * @param workspace the tenant
   * @param namespace the topic of the limit within the workspace
   * @param window length of the window, one second to 366 days
   * @return the gate
   */
  public Gate gate(String workspace, String namespace, Duration window) {
    return gate(Scope.of(workspace, namespace, window));
  }

  /**
   * As {@link #gate(String, String, Duration)}, of a scope: {@code limiter.gate(request.scope())}.
   *
   * @param scope workspace, namespace and window
   * @return the gate
   */
  public Gate gate(Scope scope) {
    return new Gate(
        this, scope, store.table(Objects.requireNonNull(scope, "scope must not be null")));
  }

  /**
   * Statistics of this limiter: {@code limiter.stats().series()}.
   *
   * @return the current values
   */
  public LimiterStats stats() {
    return new LimiterStats(
        store.size(),
        store.expired(),
        store.evicted(),
        regional == null ? 0 : regional.unconfirmed(),
        regional == null ? 0 : regional.lostTokens(),
        global == null ? 0 : global.unpushedSeries(),
        global == null ? -1 : global.millisSincePush(),
        global == null ? -1 : global.millisSincePull(),
        store.created(),
        store.imported(),
        global != null && global.hasNameConflict(),
        regional == null ? 0 : regional.liveNodes(),
        regional == null ? Optional.empty() : regional.reader(),
        global != null && global.isReading());
  }

  /**
   * Closes the limiter: {@code limiter.close()}. Flushes pending counts to the origin and then to
   * the global counters, for up to two seconds each, closes both, and stops the periodic work.
   * Later requests are still decided on, from memory, which stays bounded by {@code maxSeries}.
   */
  @Override
  public void close() {
    if (regional != null) {
      regional.close();
    }
    if (global != null) {
      global.close();
    }
    periodicWork.stop(); // last, because ticks flush
  }

  Decision decide(
      SeriesTable table, Scope scope, String identifier, long limit, long cost, long nowMillis) {
    return decider.decide(table, scope, identifier, limit, cost, nowMillis);
  }

  boolean take(SeriesTable table, String identifier, long limit, long cost, long nowMillis) {
    return decider.take(table, identifier, limit, cost, nowMillis);
  }

  SeriesStore store() {
    return store;
  }

  long nowMillis() {
    return clock.millis();
  }

  boolean isObserved() {
    return decider.isObserved();
  }

  /**
   * Builds a {@link RateLimiter}: {@code RateLimiter.builder().maxSeries(100_000).build()}. Every
   * setting has a default.
   */
  public static final class Builder {

    private InstantSource clock = InstantSource.system();
    private Scheduler scheduler = SystemScheduler.shared();
    private LimiterObserver observer = LimiterObserver.NONE;
    private int maxSeries = 1_000_000;
    private @Nullable String region;
    private @Nullable String node;
    private @Nullable RegionalOrigin origin;
    private @Nullable GlobalCounters globalCounters;
    private PushPolicy pushPolicy = PushPolicy.adaptive();

    private Builder() {}

    /**
     * Shares the counts with the other nodes of the region:
     * {@code builder.origin(RedisOrigin.connect("redis://..."))}. The limiter closes the origin.
     *
     * @param origin the counts shared by the nodes of the region
     * @return this builder
     */
    public Builder origin(RegionalOrigin origin) {
      this.origin = Objects.requireNonNull(origin, "origin must not be null");
      return this;
    }

    /**
     * Shares the counts with other regions:
     * {@code builder.region("eu").globalCounters(JdbcGlobalCounters.connect("jdbc:mariadb://..."))}.
     * The limiter closes them. A region of several nodes needs an {@link #origin} too: otherwise
     * the nodes push separate counts under one name, and other regions see the greatest of them
     * only.
     *
     * @param globalCounters the counts shared by regions
     * @return this builder
     */
    public Builder globalCounters(GlobalCounters globalCounters) {
      this.globalCounters =
          Objects.requireNonNull(globalCounters, "globalCounters must not be null");
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
    public Builder pushPolicy(PushPolicy pushPolicy) {
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
    public Builder region(String region) {
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
    public Builder node(String node) {
      this.node = NodeIdentity.checkNode(node);
      return this;
    }

    /**
     * Bounds the memory: {@code builder.maxSeries(100_000)}.
     *
     * <p>A new series beyond the bound replaces an expired one, or else a live one with low counts
     * that denies no requests; {@link LimiterStats#evictedSeries} counts these evictions. Unless an
     * origin holds its counts, the identifier of an evicted series starts with its full limit
     * again. Concurrent requests may exceed the bound for some seconds.
     *
     * @param maxSeries most series in memory, at least 1; by default 1,000,000
     * @return this builder
     */
    public Builder maxSeries(int maxSeries) {
      if (maxSeries < 1) {
        throw new IllegalArgumentException("maxSeries must be at least 1: " + maxSeries);
      }
      this.maxSeries = maxSeries;
      return this;
    }

    /**
     * Sets the clock: {@code builder.clock(Clock.systemUTC())}.
     *
     * @param clock by default the system clock
     * @return this builder
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock must not be null");
      return this;
    }

    /**
     * Sets the scheduler of the periodic work: {@code builder.scheduler(virtualTime)}.
     *
     * @param scheduler by default one daemon thread for all limiters of the JVM
     * @return this builder
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler must not be null");
      return this;
    }

    /**
     * Sets the observer of decisions and events: {@code builder.observer(metrics)}.
     *
     * @param observer by default none
     * @return this builder
     */
    public Builder observer(LimiterObserver observer) {
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
}
