package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.service.NamedLimits.Limited;
import io.tidegate.server.service.NamespaceResolver.CheckOrder;
import io.tidegate.server.service.NamespaceResolver.Resolved;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides requests of callers, for every front.
 *
 * <p>Safe for use by many threads. Methods never block. The futures they return are complete
 * already unless the request had to wait for the origin or for the catalog; they complete
 * exceptionally only because of a defect.
 */
public final class LimitService {

  /** Namespaces per workspace. Every node keeps all of them in memory, deleted ones included. */
  public static final int MAX_NAMESPACES = 10_000;

  private final Authenticator authenticator;
  private final WorkspaceThrottle throttle;
  private final NamedLimits named;
  private final NamespaceResolver namespaces;
  private final RateLimiter limiter;
  private final DenialLog denials;

  /**
   * Creates a service.
   *
   * @param limiter makes the decisions
   * @param catalog keys, namespaces and overrides
   * @param rules the rules that entries can name
   * @param logDenials which denials to log
   */
  public LimitService(
      RateLimiter limiter,
      CatalogFollower catalog,
      Supplier<RuleSet> rules,
      LogDenials logDenials) {
    this.authenticator = new Authenticator(catalog);
    this.throttle = new WorkspaceThrottle(limiter);
    this.named = new NamedLimits(rules);
    this.namespaces = new NamespaceResolver(catalog);
    this.limiter = limiter;
    this.denials = new DenialLog(logDenials);
  }

  /**
   * Decides one entry.
   *
   * @param request the request
   * @param entry the limit asked for
   * @param clock the time, read when the entry is decided
   * @return the decision, or a refusal
   */
  public CompletableFuture<ServiceResult<EntryDecision>> limit(
      ServiceRequest request, LimitEntry entry, InstantSource clock) {
    return serve(
        request, List.of(entry), CheckOrder.DELETED_FIRST, resolved -> decide(resolved, clock));
  }

  /**
   * Decides several entries, all or nothing: if one is denied, none is charged. An entry whose rule
   * is in shadow mode never denies and is decided by itself after the others; if they are denied,
   * it is peeked.
   *
   * @param request the request
   * @param entries the limits asked for; an entry that occurs twice counts twice
   * @param clock the time, read when the entries are decided
   * @return the decisions, or a refusal
   */
  public CompletableFuture<ServiceResult<BatchResult>> limitAll(
      ServiceRequest request, List<LimitEntry> entries, InstantSource clock) {
    return serve(
        request, entries, CheckOrder.PERMISSION_FIRST, resolved -> decideAll(resolved, clock));
  }

  /** The steps of a request, in order. The first refusal ends it. */
  private <T> CompletableFuture<ServiceResult<T>> serve(
      ServiceRequest request,
      List<LimitEntry> entries,
      CheckOrder order,
      Function<Resolved, Step<T>> decide) {
    Step<Caller> caller = authenticator.authenticate(request);
    Step<Admitted> admitted = caller.then(known -> throttle.admit(request, known));
    Step<Limited> limited = admitted.then(one -> named.find(one, entries));
    Step<Resolved> resolved = limited.then(known -> namespaces.resolve(known, order));
    return resolved.then(decide).toFuture();
  }

  private Step<EntryDecision> decide(Resolved resolved, InstantSource clock) {
    Admitted admitted = resolved.admitted();
    ResolvedEntry entry = resolved.entries().get(0);
    return Step.await(
        limiter.tryAcquireAsync(entry.request(), clock.millis()),
        admitted.request().executor(),
        decision -> admitted.succeed(decided(admitted, entry, decision)),
        LimitService::failed);
  }

  private Step<BatchResult> decideAll(Resolved resolved, InstantSource clock) {
    long nowMillis = clock.millis();
    List<LimitRequest> enforced = new ArrayList<>(resolved.entries().size());
    for (ResolvedEntry entry : resolved.entries()) {
      if (!entry.isShadow()) {
        enforced.add(entry.request());
      }
    }
    return enforced.isEmpty()
        ? decideShadows(resolved, new BatchDecision(true, List.of()), nowMillis)
        : Step.await(
            limiter.tryAcquireAllAsync(enforced, nowMillis),
            resolved.admitted().request().executor(),
            batch -> decideShadows(resolved, batch, nowMillis),
            LimitService::failed);
  }

  /** Decides the entries in shadow mode, each by itself, when the others are decided. */
  private Step<BatchResult> decideShadows(Resolved resolved, BatchDecision batch, long nowMillis) {
    Admitted admitted = resolved.admitted();
    List<CompletableFuture<Decision>> shadows = new ArrayList<>(0);
    for (ResolvedEntry entry : resolved.entries()) {
      if (entry.isShadow()) {
        LimitRequest request =
            batch.allowed() ? entry.request() : entry.request().withCost(0);
        shadows.add(limiter.tryAcquireAsync(request, nowMillis).toCompletableFuture());
      }
    }
    if (shadows.isEmpty()) {
      return admitted.succeed(result(resolved, batch, shadows));
    }
    return Step.await(
        CompletableFuture.allOf(shadows.toArray(CompletableFuture<?>[]::new)),
        admitted.request().executor(),
        done -> admitted.succeed(result(resolved, batch, shadows)),
        LimitService::failed);
  }

  /** The decisions in the order of the entries. */
  private BatchResult result(
      Resolved resolved, BatchDecision batch, List<CompletableFuture<Decision>> shadows) {
    Iterator<Decision> enforced = batch.decisions().iterator();
    Iterator<CompletableFuture<Decision>> shadow = shadows.iterator();
    List<EntryDecision> decisions = new ArrayList<>(resolved.entries().size());
    for (ResolvedEntry entry : resolved.entries()) {
      Decision decision = entry.isShadow() ? shadow.next().join() : enforced.next();
      decisions.add(decided(resolved.admitted(), entry, decision));
    }
    return new BatchResult(batch.allowed(), decisions);
  }

  private EntryDecision decided(Admitted admitted, ResolvedEntry entry, Decision decision) {
    if (!entry.isShadow()) {
      denials.log(admitted.request().id(), entry.request(), decision);
    }
    return entry.decided(decision);
  }

  private static <T> Step<T> failed(Throwable failure) {
    throw new IllegalStateException("the limiter failed", failure);
  }
}
