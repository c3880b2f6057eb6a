package io.tidegate;

import io.tidegate.global.GlobalLayer;
import io.tidegate.local.Batch;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.regional.RegionalLayer;
import io.tidegate.runtime.SystemScheduler;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is within its limit, from this process's memory; with an origin,
 * together with the other nodes of its region; with global counters, together with other regions.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.inMemory();
 * Decision decision = limiter.tryAcquire(LimitRequest.of("acme", "login", "user_42", Limit.perMinute(10)));
 * if (!decision.allowed()) {
 *   reject(decision.retryAfter());
 * }
 * }</pre>
 *
 * <p>One limiter serves all threads, tenants and limits of a process. It counts in a sliding window
 * over two fixed ones: what was taken in the current one, plus the share of the previous one that a
 * window reaching back from now still covers, is at most the limit. So the previous one is taken to
 * have been used evenly; where it was not, up to twice the limit can fall into a window.
 *
 * <p>Bad arguments throw at the door, before anything is counted. A denial is a {@link Decision}.
 */
public final class RateLimiter implements AutoCloseable {

  /** So that a life's number still fits behind it. */
  private static final int MAX_NODE_LENGTH = 256;

  /** What fits the column in which global counters keep it. */
  private static final int MAX_REGION_LENGTH = 48;

  private static final System.Logger LOG = System.getLogger("io.tidegate");

  private final InstantSource clock;
  private final LimiterObserver observer;
  private final boolean observed;
  private final SeriesStore store;

  /** Null when this process counts for itself. */
  private final @Nullable RegionalLayer region;

  /** Null when this region counts for itself. */
  private final @Nullable GlobalLayer exchange;

  private final List<Scheduler.Task> tasks = new ArrayList<>();

  private RateLimiter(Builder builder) {
    this.clock = builder.clock;
    this.observer = SafeObserver.of(builder.observer, builder.scheduler);
    this.observed = observer != LimiterObserver.NONE;
    RegionalOrigin origin = builder.origin;
    GlobalCounters counters = builder.globalCounters;
    String node = builder.nodeOrRandom();
    SeriesEvents events = new SeriesEvents(observer);
    this.store = new SeriesStore(
        builder.maxSeries,
        origin != null,
        counters == null ? null : builder.pushPolicy.shortestWindow(),
        events,
        clock::millis);
    this.region = origin == null
        ? null
        : new RegionalLayer(
            store, origin, builder.regionOrDefault(), node, clock, builder.scheduler, observer);
    this.exchange = counters == null
        ? null
        : new GlobalLayer(
            store,
            counters,
            origin == null ? null : origin::identify,
            builder.pushPolicy,
            builder.regionOfItsOwn(),
            node,
            clock,
            builder.scheduler,
            observer);
    events.region = region;
    events.exchange = exchange;
    InstantSource sweepClock = clock; // not through the builder or this: both hold the observer
    every(
        builder.scheduler,
        SeriesStore.SWEEP_INTERVAL,
        store,
        living -> living.sweep(sweepClock.millis()));
    if (region != null) {
      every(builder.scheduler, RegionalLayer.TICK, region, RegionalLayer::tick);
    }
    if (exchange != null) {
      every(builder.scheduler, GlobalLayer.TICK, exchange, GlobalLayer::tick);
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
   * A limiter with other settings: {@code RateLimiter.builder().maxSeries(100_000).build()}.
   *
   * @return a builder with all defaults
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Takes the request's cost if its limit has room for it:
   * {@code limiter.tryAcquire(request).allowed()}.
   *
   * @param request what is asked for
   * @return the answer
   */
  public Decision tryAcquire(LimitRequest request) {
    return tryAcquire(request, nowMillis());
  }

  /**
   * The same at a time that the caller has read: {@code limiter.tryAcquire(request,
   * clock.millis())}.
   *
   * <p>A time before the newest one that a series has seen counts as the start of its newest
   * window, so clocks that step back fail nothing. The time must agree with the limiter's clock
   * within a window: series are forgotten by that clock, and one that is used in an older time
   * would be lost. For another time altogether, build a limiter with its own {@code clock}.
   *
   * @param request what is asked for
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the answer
   */
  public Decision tryAcquire(LimitRequest request, long nowMillis) {
    Bounds.checkTime(nowMillis);
    Scope scope = Objects.requireNonNull(request, "request must not be null").scope();
    return decide(
        store.table(scope),
        scope,
        request.identifier(),
        request.limit(),
        request.cost(),
        nowMillis);
  }

  /**
   * {@link #tryAcquire} for callers that must not wait:
   * {@code limiter.tryAcquireAsync(request).thenAccept(this::answer)}. What follows runs on the
   * thread that brings the answer, and must not wait there for anything; use
   * {@code thenAcceptAsync} for what does.
   *
   * @param request what is asked for
   * @return the answer, complete already when it needed nothing but memory
   */
  public CompletionStage<Decision> tryAcquireAsync(LimitRequest request) {
    return tryAcquireAsync(request, nowMillis());
  }

  /**
   * The same at a time that the caller has read: {@code limiter.tryAcquireAsync(request,
   * clock.millis())}.
   *
   * @param request what is asked for
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the answer, complete already when it needed nothing but memory
   */
  public CompletionStage<Decision> tryAcquireAsync(LimitRequest request, long nowMillis) {
    Bounds.checkTime(nowMillis);
    Scope scope = Objects.requireNonNull(request, "request must not be null").scope();
    SeriesTable table = store.table(scope);
    String identifier = request.identifier();
    Decision decision = table.decide(identifier, request.limit(), request.cost(), nowMillis);
    return decision != null
        ? CompletableFuture.completedFuture(observe(scope, identifier, decision))
        : region
            .decideAsync(table, identifier, request.limit(), request.cost(), nowMillis)
            .thenApply(late -> observe(scope, identifier, late));
  }

  /**
   * Takes the costs of all requests, or of none if a limit has no room:
   * {@code limiter.tryAcquireAll(List.of(perUser, perAccount)).allowed()}.
   *
   * <p>Nobody sees a part of it. The same series may be asked for several times; each request is
   * then held against what those before it leave.
   *
   * @param requests 1 to 1000 requests
   * @return the answer
   */
  public BatchDecision tryAcquireAll(List<LimitRequest> requests) {
    return tryAcquireAll(requests, nowMillis());
  }

  /**
   * The same at a time that the caller has read: {@code limiter.tryAcquireAll(requests,
   * clock.millis())}.
   *
   * @param requests 1 to 1000 requests
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the answer
   */
  public BatchDecision tryAcquireAll(List<LimitRequest> requests, long nowMillis) {
    LimitRequest[] batch = checkBatch(requests, nowMillis);
    Batch decision = new Batch(store, batch, nowMillis);
    return observe(
        batch, region == null ? decision.decide() : region.decideAll(decision, nowMillis));
  }

  /**
   * {@link #tryAcquireAll} for callers that must not wait:
   * {@code limiter.tryAcquireAllAsync(requests).thenAccept(this::answer)}.
   *
   * @param requests 1 to 1000 requests
   * @return the answer, complete already when it needed nothing but memory
   */
  public CompletionStage<BatchDecision> tryAcquireAllAsync(List<LimitRequest> requests) {
    return tryAcquireAllAsync(requests, nowMillis());
  }

  /**
   * The same at a time that the caller has read: {@code limiter.tryAcquireAllAsync(requests,
   * clock.millis())}.
   *
   * @param requests 1 to 1000 requests
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the answer, complete already when it needed nothing but memory
   */
  public CompletionStage<BatchDecision> tryAcquireAllAsync(
      List<LimitRequest> requests, long nowMillis) {
    LimitRequest[] batch = checkBatch(requests, nowMillis);
    Batch decision = new Batch(store, batch, nowMillis);
    return region == null
        ? CompletableFuture.completedFuture(observe(batch, decision.decide()))
        : region.decideAllAsync(decision, nowMillis).thenApply(all -> observe(batch, all));
  }

  /**
   * An entrance for one scope that callers may keep, and that can decide without allocating:
   * {@code limiter.gate("acme", "login", Duration.ofMinutes(1)).take("user_42", 10, 1)}.
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
   * The same for a scope that the caller has: {@code limiter.gate(request.scope())}.
   *
   * @param scope workspace, namespace and window
   * @return the gate
   */
  public Gate gate(Scope scope) {
    return new Gate(
        this, scope, store.table(Objects.requireNonNull(scope, "scope must not be null")));
  }

  /**
   * What this limiter holds in memory: {@code limiter.stats().series()}.
   *
   * @return the figures of this moment
   */
  public LimiterStats stats() {
    return new LimiterStats(
        store.size(),
        store.expired(),
        store.evicted(),
        region == null ? 0 : region.unconfirmed(),
        region == null ? 0 : region.lostTokens(),
        exchange == null ? 0 : exchange.unpushedSeries(),
        exchange == null ? -1 : exchange.millisSincePush(),
        exchange == null ? -1 : exchange.millisSincePull(),
        store.created(),
        store.imported(),
        exchange != null && exchange.hasNameConflict());
  }

  /**
   * Ends the periodic work: {@code limiter.close()}. Tells the origin and then the global counters
   * what is left to tell, each for two seconds at most, and closes them. Decisions asked for later
   * are still made, from this process's memory, which stays bounded by {@code maxSeries}.
   */
  @Override
  public void close() {
    if (region != null) {
      region.close();
    }
    if (exchange != null) {
      exchange.close();
    }
    tasks.forEach(Scheduler.Task::cancel); // and not before: what is left is told by ticks
  }

  Decision decide(
      SeriesTable table, Scope scope, String identifier, long limit, long cost, long nowMillis) {
    Decision decision = table.decide(identifier, limit, cost, nowMillis);
    return observe(
        scope,
        identifier,
        decision != null ? decision : region.decide(table, identifier, limit, cost, nowMillis));
  }

  boolean take(SeriesTable table, String identifier, long limit, long cost, long nowMillis) {
    Decision decision = table.take(identifier, limit, cost, nowMillis);
    return (decision != null ? decision : region.decide(table, identifier, limit, cost, nowMillis))
        .allowed();
  }

  private Decision observe(Scope scope, String identifier, Decision decision) {
    if (observed) {
      observer.decided(scope, identifier, decision);
    }
    return decision;
  }

  private BatchDecision observe(LimitRequest[] requests, BatchDecision decision) {
    if (observed) {
      observer.batchDecided(List.of(requests), decision);
    }
    return decision;
  }

  private static LimitRequest[] checkBatch(List<LimitRequest> requests, long nowMillis) {
    Bounds.checkTime(nowMillis);
    LimitRequest[] batch =
        Objects.requireNonNull(requests, "requests must not be null").toArray(LimitRequest[]::new);
    Bounds.checkBatchSize(batch.length);
    for (int i = 0; i < batch.length; i++) {
      if (batch[i] == null) {
        throw new NullPointerException("request " + i + " of the batch must not be null");
      }
    }
    return batch;
  }

  SeriesStore store() {
    return store;
  }

  long nowMillis() {
    return clock.millis();
  }

  boolean isObserved() {
    return observed;
  }

  /**
   * Reaches its subject through a weak reference: a limiter that was dropped and never closed can
   * be collected.
   */
  private <T> void every(Scheduler scheduler, Duration interval, T subject, Consumer<T> work) {
    WeakReference<T> reference = new WeakReference<>(subject);
    Scheduler.Task[] self = new Scheduler.Task[1];
    self[0] = scheduler.every(interval, () -> {
      T living = reference.get();
      if (living != null) {
        runAndSurvive(() -> work.accept(living));
      } else {
        self[0].cancel();
      }
    });
    tasks.add(self[0]);
  }

  /** Most schedulers never run again what has thrown once. */
  private static void runAndSurvive(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "Background work failed; it runs again at its next time", e);
    }
  }

  /** Passes on what happens to series. */
  private static final class SeriesEvents implements SeriesStore.Listener {

    private final LimiterObserver observer;
    private @Nullable RegionalLayer region;
    private @Nullable GlobalLayer exchange;

    SeriesEvents(LimiterObserver observer) {
      this.observer = observer;
    }

    @Override
    public void strictModeEntered(Scope scope, String identifier) {
      observer.strictModeEntered(scope, identifier);
    }

    @Override
    public void liveSeriesEvicted(Scope scope, String identifier) {
      observer.liveSeriesEvicted(scope, identifier);
    }

    @Override
    public void changed(SharedCounter counter) {
      region.replay(counter);
    }

    @Override
    public void pushWanted(SharedCounter counter) {
      exchange.push(counter);
    }

    @Override
    public void refreshWanted(SharedCounter counter, long nowMillis) {
      region.refreshInBackground(counter, nowMillis);
    }
  }

  /**
   * Builds a {@link RateLimiter}. Every setting has a default.
   *
   * <pre>{@code
   * RateLimiter limiter = RateLimiter.builder().maxSeries(100_000).observer(metrics).build();
   * }</pre>
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
     * Shares the counts with other nodes:
     * {@code builder.origin(RedisOrigin.connect("redis://..."))}. The limiter closes it.
     *
     * @param origin where the nodes of the region meet
     * @return this builder
     */
    public Builder origin(RegionalOrigin origin) {
      this.origin = Objects.requireNonNull(origin, "origin must not be null");
      return this;
    }

    /**
     * Shares the counts with other regions:
     * {@code builder.region("eu").globalCounters(JdbcGlobalCounters.connect("jdbc:mariadb://..."))}.
     * The limiter closes them. A region of several nodes needs an {@link #origin} too, or it would
     * tell the others of one node's counts only.
     *
     * @param globalCounters where regions meet
     * @return this builder
     */
    public Builder globalCounters(GlobalCounters globalCounters) {
      this.globalCounters =
          Objects.requireNonNull(globalCounters, "globalCounters must not be null");
      return this;
    }

    /**
     * What to tell other regions, and how often:
     * {@code builder.pushPolicy(PushPolicy.adaptive(Duration.ofSeconds(5)))}. Every node of every
     * region should have the same.
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
     * Names the fleet that this node belongs to: {@code builder.region("eu")}. Nodes that share an
     * origin but not a region do not share counts. Without it, the region is {@code default},
     * unless there are global counters: then every region needs a name that no other has, of at
     * most 48 characters and without blanks at its ends.
     *
     * @param region 1 to 512 characters
     * @return this builder
     */
    public Builder region(String region) {
      this.region = Bounds.checkName("region", region);
      return this;
    }

    /**
     * Names this node among those of its region: {@code builder.node(podName + "-" + startedAt)}.
     * No other node may have the same name, and none may have had it before: what a former one
     * counted would be taken for this one's. Without it, the name is random.
     *
     * @param node 1 to 256 characters
     * @return this builder
     */
    public Builder node(String node) {
      this.node = Bounds.checkName("node", node);
      if (node.length() > MAX_NODE_LENGTH) {
        throw new IllegalArgumentException("node must have at most 256 characters: " + node);
      }
      return this;
    }

    private String regionOrDefault() {
      return region != null ? region : "default";
    }

    /** Two regions of one name would each take the other's counts for its own. */
    private String regionOfItsOwn() {
      if (region == null) {
        throw new IllegalStateException(
            "global counters need to know the region of this node: call region(\"eu\"), with a name that no other region has");
      }
      if (region.codePointCount(0, region.length()) > MAX_REGION_LENGTH) {
        throw new IllegalStateException(
            "with global counters, region must have at most 48 characters: " + region);
      }
      if (region.codePoints().anyMatch(Builder::isHalfACharacter)) {
        throw new IllegalStateException(
            "with global counters, region must be text, without half a surrogate pair: " + region);
      }
      return region;
    }

    private static boolean isHalfACharacter(int codePoint) {
      return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private String nodeOrRandom() {
      UUID random = UUID.randomUUID();
      return node != null
          ? node
          : Long.toUnsignedString(
              random.getMostSignificantBits() ^ random.getLeastSignificantBits(), 36);
    }

    /**
     * Bounds the memory: {@code builder.maxSeries(100_000)}.
     *
     * <p>When there are as many series, a new one displaces an expired one, or if none is found a
     * live one that has counted little and denies nobody; its identifier then has a fresh budget
     * (with an origin, which remembers, it has not), and {@link LimiterStats#evictedSeries} counts
     * it. For seconds, what runs at the same moment may exceed the bound.
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
     * Where to read the time: {@code builder.clock(Clock.systemUTC())}.
     *
     * @param clock by default the system's
     * @return this builder
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock must not be null");
      return this;
    }

    /**
     * What runs the periodic work: {@code builder.scheduler(virtualTime)}.
     *
     * @param scheduler by default one daemon thread for all limiters of the JVM
     * @return this builder
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler must not be null");
      return this;
    }

    /**
     * Who is told what the limiter does: {@code builder.observer(metrics)}.
     *
     * @param observer by default nobody
     * @return this builder
     */
    public Builder observer(LimiterObserver observer) {
      this.observer = Objects.requireNonNull(observer, "observer must not be null");
      return this;
    }

    /**
     * The limiter with these settings: {@code builder.build()}.
     *
     * @return the limiter
     */
    public RateLimiter build() {
      return new RateLimiter(this);
    }
  }
}
