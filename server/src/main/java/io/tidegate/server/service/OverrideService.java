package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.server.catalog.Action;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownOverride;
import io.tidegate.server.catalog.KnownWorkspace;
import io.tidegate.server.catalog.Overrides;
import io.tidegate.server.service.Refusal.CatalogUnavailable;
import io.tidegate.server.service.Refusal.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads and edits overrides for callers. Reads use this node's copy of the catalog; an edit is
 * visible on this node when its future completes.
 *
 * <p>Safe for use by many threads. Methods never block. Reads complete at once.
 */
public final class OverrideService {

  /** Wildcard overrides per namespace. */
  public static final int MAX_WILDCARDS = Overrides.MAX_WILDCARDS;

  /** Overrides per workspace, deleted ones included. */
  public static final int MAX_OVERRIDES = KnownWorkspace.MAX_OVERRIDES;

  private final Authenticator authenticator;
  private final WorkspaceThrottle throttle;
  private final CatalogFollower catalog;

  /**
   * Creates a service.
   *
   * @param limiter counts requests against the throttle of their workspace
   * @param catalog keys, namespaces and overrides
   */
  public OverrideService(RateLimiter limiter, CatalogFollower catalog) {
    this.authenticator = new Authenticator(catalog);
    this.throttle = new WorkspaceThrottle(limiter);
    this.catalog = catalog;
  }

  /** Creates, changes or restores the override of exactly this identifier or pattern. */
  public CompletableFuture<ServiceResult<OverrideDetails>> set(
      ServiceRequest request,
      String namespace,
      String identifier,
      long limit,
      long durationMillis) {
    return serve(request, namespace, permitted(Action.SET_OVERRIDE, (admitted, found) -> {
      if (!admitted.caller().workspace().hasRoomFor(found, identifier)) {
        return admitted.refuse(Reason.TOO_MANY_OVERRIDES);
      }
      return Step.await(
          catalog.editor().setOverride(admitted.caller(), found, identifier, limit, durationMillis),
          request.executor(),
          override -> admitted.succeed(OverrideDetails.of(override)),
          failure -> admitted.refuse(new CatalogUnavailable(failure)));
    }));
  }

  /**
   * Finds the override that applies to an identifier. A caller without permission to read it
   * receives the same refusal as if it did not exist.
   */
  public CompletableFuture<ServiceResult<OverrideDetails>> get(
      ServiceRequest request, String namespace, String identifier) {
    return serve(request, namespace, (admitted, found) -> {
      KnownOverride override = found.overrides().find(identifier);
      return override != null && mayRead(admitted.caller(), found, override)
          ? admitted.succeed(OverrideDetails.of(override))
          : admitted.refuse(Reason.OVERRIDE_NOT_FOUND);
    });
  }

  private static boolean mayRead(Caller caller, KnownNamespace namespace, KnownOverride override) {
    return caller
        .permissions()
        .allow(Action.READ_OVERRIDE, caller.workspace().id(), namespace.id(), override.id());
  }

  /**
   * Lists overrides in ascending order of their ids.
   *
   * @param cursor the first id to list; empty for the first page
   * @param maxEntries the length of the page
   */
  public CompletableFuture<ServiceResult<OverridePage>> list(
      ServiceRequest request, String namespace, String cursor, int maxEntries) {
    return serve(request, namespace, permitted(Action.READ_OVERRIDE, (admitted, found) -> {
      List<KnownOverride> page = found.overrides().page(cursor, maxEntries + 1);
      String next = page.size() > maxEntries ? page.get(maxEntries).id() : null;
      return admitted.succeed(new OverridePage(
          page.stream().limit(maxEntries).map(OverrideDetails::of).toList(), next));
    }));
  }

  /** Deletes the override of exactly this identifier or pattern. */
  public CompletableFuture<ServiceResult<OverrideDetails>> delete(
      ServiceRequest request, String namespace, String identifier) {
    return serve(
        request,
        namespace,
        permitted(
            Action.DELETE_OVERRIDE,
            (admitted, found) -> Step.await(
                catalog.editor().deleteOverride(admitted.caller(), found, identifier),
                request.executor(),
                deleted -> deleted
                    .map(override -> admitted.succeed(OverrideDetails.of(override)))
                    .orElseGet(() -> admitted.refuse(Reason.OVERRIDE_NOT_FOUND)),
                failure -> admitted.refuse(new CatalogUnavailable(failure)))));
  }

  /** The last step of a request, in a namespace that exists. */
  private interface Operation<T> {
    Step<T> run(Admitted admitted, KnownNamespace namespace);
  }

  /** The steps of a request, in order. The first refusal ends it. */
  private <T> CompletableFuture<ServiceResult<T>> serve(
      ServiceRequest request, String namespace, Operation<T> operation) {
    Step<Caller> caller = authenticator.authenticate(request);
    Step<Admitted> admitted = caller.then(known -> throttle.admit(request, known));
    return admitted.then(one -> inNamespace(one, namespace, operation)).toFuture();
  }

  private static <T> Step<T> inNamespace(Admitted admitted, String name, Operation<T> operation) {
    KnownNamespace namespace = admitted.caller().workspace().namespace(name);
    return namespace == null || namespace.deleted()
        ? admitted.refuse(Reason.NAMESPACE_NOT_FOUND)
        : operation.run(admitted, namespace);
  }

  private static <T> Operation<T> permitted(Action action, Operation<T> operation) {
    return (admitted, namespace) -> admitted.caller().permissions().allow(action, namespace.id())
        ? operation.run(admitted, namespace)
        : admitted.refuse(NamespaceResolver.missingPermission(action, namespace));
  }
}
