package io.tidegate;

import io.tidegate.local.Batch;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.runtime.SystemScheduler;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.Scheduler;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides whether a request is within its limit, from this process's memory.
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

  /**
   * How often expired series are looked for. A scope is walked at most once a window, so a short
   * interval costs little; a long one keeps the memory of a burst for longer.
   */
  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(5);

  private final InstantSource clock;
  private final LimiterObserver observer;
  private final boolean observed;
  private final SeriesStore store;
  private final Scheduler.Task sweep;

  private RateLimiter(Builder builder) {
    this.clock = builder.clock;
    this.observer = builder.observer;
    this.observed = observer != LimiterObserver.NONE;
    this.store = new SeriesStore(builder.maxSeries, new SeriesEvents(observer));
    this.sweep = sweepRegularly(builder.scheduler, clock, store);
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
   * {@code limiter.tryAcquireAsync(request).thenAccept(this::answer)}.
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
    return CompletableFuture.completedFuture(tryAcquire(request, nowMillis));
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
    Bounds.checkTime(nowMillis);
    LimitRequest[] batch =
        Objects.requireNonNull(requests, "requests must not be null").toArray(LimitRequest[]::new);
    Bounds.checkBatchSize(batch.length);
    for (int i = 0; i < batch.length; i++) {
      if (batch[i] == null) {
        throw new NullPointerException("request " + i + " of the batch must not be null");
      }
    }
    BatchDecision decision = Batch.decide(store, batch, nowMillis);
    if (observed) {
      observer.batchDecided(List.of(batch), decision);
    }
    return decision;
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
    return CompletableFuture.completedFuture(tryAcquireAll(requests, nowMillis));
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
    return new LimiterStats(store.size(), store.expired(), store.evicted());
  }

  /**
   * Ends the periodic work: {@code limiter.close()}. Decisions asked for later are still made;
   * their memory stays bounded by {@code maxSeries}.
   */
  @Override
  public void close() {
    sweep.cancel();
  }

  Decision decide(
      SeriesTable table, Scope scope, String identifier, long limit, long cost, long nowMillis) {
    Decision decision = table.decide(identifier, limit, cost, nowMillis);
    if (observed) {
      observer.decided(scope, identifier, decision);
    }
    return decision;
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
   * Reaches the store through a weak reference: a limiter that was dropped and never closed can be
   * collected.
   */
  private static Scheduler.Task sweepRegularly(
      Scheduler scheduler, InstantSource clock, SeriesStore store) {
    WeakReference<SeriesStore> reference = new WeakReference<>(store);
    Scheduler.Task[] self = new Scheduler.Task[1];
    self[0] = scheduler.every(SWEEP_INTERVAL, () -> {
      SeriesStore living = reference.get();
      if (living != null) {
        living.sweep(clock.millis());
      } else {
        self[0].cancel();
      }
    });
    return self[0];
  }

  /** Tells the observer what the store tells. */
  private record SeriesEvents(LimiterObserver observer) implements SeriesStore.Listener {

    @Override
    public void strictModeEntered(Scope scope, String identifier) {
      observer.strictModeEntered(scope, identifier);
    }

    @Override
    public void liveSeriesEvicted(Scope scope, String identifier) {
      observer.liveSeriesEvicted(scope, identifier);
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

    private Builder() {}

    /**
     * Bounds the memory: {@code builder.maxSeries(100_000)}.
     *
     * <p>When there are as many series, a new one displaces an expired one, or if none is found a
     * live one that has counted little and denies nobody; its identifier then has a fresh budget,
     * and {@link LimiterStats#evictedSeries} counts it. For seconds, what runs at the same moment
     * may exceed the bound.
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
