package io.tidegate;

import io.tidegate.global.GlobalLayer;
import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.LimiterStats;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.regional.Refresher;
import io.tidegate.regional.RegionalLayer;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
  private final WaitingRequests waitingRequests;
  private final Inspector inspector;
  private final PeriodicWork periodicWork;

  RateLimiter(RateLimiterBuilder builder) {
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
    this.waitingRequests = new WaitingRequests(decider, clock, scheduler);
    this.inspector = new Inspector(store, refresher, global, region, node, clock);
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
  public static RateLimiterBuilder builder() {
    return new RateLimiterBuilder();
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
    return tryAcquireAsync(request, nowMillis, RegionalLayer.LONGEST_WAIT);
  }

  /**
   * As {@link #tryAcquireAsync(LimitRequest, long)}, for callers with a deadline of their own:
   * {@code limiter.tryAcquireAsync(request, clock.millis(), Duration.ofMillis(10))}.
   *
   * @param request the request
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @param maxWait how long the decision may wait for the origin, rounded up to the next tick of 10
   *     ms, and 300 ms at most; after that it is made from memory and
   *     {@linkplain Decision#degraded() degraded}. Zero does not wait
   * @return the decision; complete already if it needed no read of the origin
   */
  public CompletionStage<Decision> tryAcquireAsync(
      LimitRequest request, long nowMillis, Duration maxWait) {
    return decider.decideAsync(request, nowMillis, maxWait);
  }

  /**
   * Waits until the limit has room for the request, and admits it: {@code limiter.acquire(request,
   * Duration.ofSeconds(2))}.
   *
   * <p>Requests that wait for the same series on this node are admitted in the order of their
   * arrival, so that one with a high cost is not overtaken by others that wait; requests that do
   * not wait ({@link #tryAcquire}) may overtake it. At most 10,000 requests wait for a series.
   *
   * <p>Holds no lock while it waits, so virtual threads release their carrier. If the thread is
   * interrupted, the request gives up its place and is not charged, unless its decision is already
   * being made with a read of the origin.
   *
   * @param request the request
   * @param maxWait how long to wait; zero does not wait for the limit
   * @return true if the request was admitted; false, without delay, once it is certain that the
   *     limit has no room for it within {@code maxWait}, or if too many requests wait
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public boolean acquire(LimitRequest request, Duration maxWait) throws InterruptedException {
    return WaitingRequests.await(waitingRequests.acquire(request, maxWait));
  }

  /**
   * {@link #acquire} for callers that must not block: {@code limiter.acquireAsync(request,
   * Duration.ofSeconds(2)).thenAccept(this::answer)}. Cancelling the future gives up the place of
   * the request. Dependent stages run on the thread of the limiter's scheduler and must not block
   * it; use {@code thenAcceptAsync} for stages that block.
   *
   * @param request the request
   * @param maxWait how long to wait; zero does not wait for the limit
   * @return true if the request was admitted; false once waiting is in vain
   */
  public CompletableFuture<Boolean> acquireAsync(LimitRequest request, Duration maxWait) {
    return waitingRequests.acquire(request, maxWait);
  }

  /**
   * Charges a cost that has been incurred already, in full, even beyond the limit:
   * {@code limiter.record(request.withCost(tokensUsed)).allowed()}. The cost is added at once. With
   * an origin, the decision may wait up to 300 ms for it.
   *
   * <p>A node counts at most 2^40 - 1 tokens of a series in a window, which is more than any limit.
   *
   * @param request the request
   * @return the state after the charge: {@code allowed} if the limit is not exceeded; otherwise
   *     {@code retryAfterMillis} is the time until it no longer is
   */
  public Decision record(LimitRequest request) {
    return record(request, nowMillis());
  }

  /**
   * As {@link #record(LimitRequest)}, at a given time: {@code limiter.record(request,
   * clock.millis())}.
   *
   * @param request the request
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @return the state after the charge
   */
  public Decision record(LimitRequest request, long nowMillis) {
    return decider.record(request, nowMillis);
  }

  /**
   * {@link #record} for callers that must not block: {@code limiter.recordAsync(request,
   * clock.millis(), Duration.ofMillis(10))}. The cost has been added when the method returns.
   *
   * @param request the request
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @param maxWait how long the decision may wait for the origin, as in {@link #tryAcquireAsync}
   * @return the state after the charge; complete already if it needed no read of the origin
   */
  public CompletionStage<Decision> recordAsync(
      LimitRequest request, long nowMillis, Duration maxWait) {
    return decider.recordAsync(request, nowMillis, maxWait);
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
    return tryAcquireAllAsync(requests, nowMillis, RegionalLayer.LONGEST_WAIT);
  }

  /**
   * As {@link #tryAcquireAllAsync(List, long)}, for callers with a deadline of their own:
   * {@code limiter.tryAcquireAllAsync(requests, clock.millis(), Duration.ofMillis(10))}.
   *
   * @param requests 1 to 1000 requests
   * @param nowMillis milliseconds since 1970, from the limiter's clock or one that agrees with it
   * @param maxWait how long the decision may wait for the origin, as in {@link #tryAcquireAsync}
   * @return the decision; complete already if it needed no read of the origin
   */
  public CompletionStage<BatchDecision> tryAcquireAllAsync(
      List<LimitRequest> requests, long nowMillis, Duration maxWait) {
    return decider.decideAllAsync(requests, nowMillis, maxWait);
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
   * Reads what this node, the origin and the global counters know of a series, for operators:
   * {@code limiter.inspect(scope, "user_42").thenAccept(found -> print(found.decide(10, 1)))}.
   *
   * <p>Changes and counts nothing: no series is created or rotated, and decisions are the same as
   * without it. Both stores are asked at once, in one call for each cell, for one second at most. A
   * store that fails does not fail the inspection.
   *
   * @param scope workspace, namespace and window
   * @param identifier the user, key or address that is limited
   * @return the inspection, within about a second; never fails. Dependent stages run on the thread
   *     that completes the last answer and must not block it
   */
  public CompletionStage<SeriesInspection> inspect(Scope scope, String identifier) {
    return inspector.inspect(new Series(scope, identifier));
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

  /** Number of series that requests wait for. */
  int waitingQueues() {
    return waitingRequests.queues();
  }

  boolean isObserved() {
    return decider.isObserved();
  }
}
