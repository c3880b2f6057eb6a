package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.model.LimitRequest;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.service.NamespaceResolver.CheckOrder;
import io.tidegate.server.service.NamespaceResolver.Resolved;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

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
  private final NamespaceResolver namespaces;
  private final RateLimiter limiter;
  private final DenialLog denials;

  /**
   * Creates a service.
   *
   * @param limiter makes the decisions
   * @param catalog keys, namespaces and overrides
   * @param logDenials which denials to log
   */
  public LimitService(RateLimiter limiter, CatalogFollower catalog, LogDenials logDenials) {
    this.authenticator = new Authenticator(catalog);
    this.throttle = new WorkspaceThrottle(limiter);
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
   * Decides several entries, all or nothing: if one is denied, none is charged.
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
    Step<Resolved> resolved = admitted.then(one -> namespaces.resolve(one, entries, order));
    return resolved.then(decide).toFuture();
  }

  private Step<EntryDecision> decide(Resolved resolved, InstantSource clock) {
    Admitted admitted = resolved.admitted();
    ResolvedEntry entry = resolved.entries().get(0);
    return Step.await(
        limiter.tryAcquireAsync(entry.request(), clock.millis()),
        admitted.request().executor(),
        decision -> {
          denials.log(admitted.request().id(), entry.request(), decision);
          return admitted.succeed(entry.decided(decision));
        },
        LimitService::failed);
  }

  private Step<BatchResult> decideAll(Resolved resolved, InstantSource clock) {
    Admitted admitted = resolved.admitted();
    List<LimitRequest> requests =
        resolved.entries().stream().map(ResolvedEntry::request).toList();
    return Step.await(
        limiter.tryAcquireAllAsync(requests, clock.millis()),
        admitted.request().executor(),
        batch -> {
          List<EntryDecision> decisions = new ArrayList<>(requests.size());
          for (int i = 0; i < requests.size(); i++) {
            denials.log(
                admitted.request().id(), requests.get(i), batch.decisions().get(i));
            decisions.add(resolved.entries().get(i).decided(batch.decisions().get(i)));
          }
          return admitted.succeed(new BatchResult(batch.allowed(), decisions));
        },
        LimitService::failed);
  }

  private static <T> Step<T> failed(Throwable failure) {
    throw new IllegalStateException("the limiter failed", failure);
  }
}
