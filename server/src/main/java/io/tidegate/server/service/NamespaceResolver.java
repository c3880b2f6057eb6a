package io.tidegate.server.service;

import io.tidegate.server.catalog.Action;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownWorkspace;
import io.tidegate.server.catalog.Permissions;
import io.tidegate.server.log.RequestLog;
import io.tidegate.server.log.RootCause;
import io.tidegate.server.service.NamedLimits.Limited;
import io.tidegate.server.service.Refusal.MissingPermission;
import io.tidegate.server.service.Refusal.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the namespaces of entries, creates the missing ones, checks the caller's permissions and
 * applies overrides. Safe for use by many threads.
 */
final class NamespaceResolver {

  /**
   * How long a request waits for the creation of its namespaces. The decision does not need them,
   * but a caller that sets an override next expects to find the namespace.
   */
  private static final long CREATION_TIMEOUT_MILLIS = 1_000;

  private final CatalogFollower catalog;

  NamespaceResolver(CatalogFollower catalog) {
    this.catalog = catalog;
  }

  /**
   * Which of two refusals a caller receives that lacks the permission for a deleted namespace.
   * Clients rely on both: {@code limit} has always reported the deletion and {@code multiLimit} the
   * permission.
   */
  enum CheckOrder {
    DELETED_FIRST,
    PERMISSION_FIRST
  }

  /** The entries of an admitted request, ready to be decided. */
  record Resolved(Admitted admitted, List<ResolvedEntry> entries) {}

  Step<Resolved> resolve(Limited limited, CheckOrder order) {
    Admitted admitted = limited.admitted();
    List<LimitedEntry> entries = limited.entries();
    Caller caller = admitted.caller();
    List<@Nullable KnownNamespace> namespaces = find(caller.workspace(), entries);
    List<String> missing = missing(namespaces, entries);
    Refusal refusal = missing.isEmpty() ? null : creationRefusal(caller, missing);
    if (refusal == null) {
      refusal = refusal(caller, namespaces, order);
    }
    if (refusal != null) {
      return admitted.refuse(refusal);
    }
    return missing.isEmpty()
        ? resolved(admitted, entries, namespaces)
        : create(admitted, missing, entries);
  }

  private static List<@Nullable KnownNamespace> find(
      KnownWorkspace workspace, List<LimitedEntry> entries) {
    List<@Nullable KnownNamespace> found = new ArrayList<>(entries.size());
    for (LimitedEntry entry : entries) {
      found.add(workspace.namespace(entry.namespace()));
    }
    return found;
  }

  /** The names that have no namespace, each once. */
  private static List<String> missing(
      List<@Nullable KnownNamespace> namespaces, List<LimitedEntry> entries) {
    if (!namespaces.contains(null)) {
      return List.of();
    }
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      String name = entries.get(i).namespace();
      if (namespaces.get(i) == null && !missing.contains(name)) {
        missing.add(name);
      }
    }
    return missing;
  }

  /** An unknown id is never created: it may be the id of a namespace of another workspace. */
  private static @Nullable Refusal creationRefusal(Caller caller, List<String> missing) {
    if (missing.stream().anyMatch(KnownNamespace::isId)) {
      return Reason.NAMESPACE_NOT_FOUND;
    }
    for (Action action : List.of(Action.CREATE_NAMESPACE, Action.LIMIT)) {
      if (!caller.permissions().allow(action)) {
        return new MissingPermission(List.of(Permissions.text(action)));
      }
    }
    return caller.workspace().namespaces() + missing.size() > LimitService.MAX_NAMESPACES
        ? Reason.TOO_MANY_NAMESPACES
        : null;
  }

  private static @Nullable Refusal refusal(
      Caller caller, List<@Nullable KnownNamespace> namespaces, CheckOrder order) {
    Refusal missing = missingPermission(caller, namespaces);
    Refusal deleted = anyDeleted(namespaces) ? Reason.NAMESPACE_DELETED : null;
    return switch (order) {
      case DELETED_FIRST -> deleted != null ? deleted : missing;
      case PERMISSION_FIRST -> missing != null ? missing : deleted;
    };
  }

  private static @Nullable Refusal missingPermission(
      Caller caller, List<@Nullable KnownNamespace> namespaces) {
    for (KnownNamespace namespace : namespaces) {
      if (namespace != null && !caller.permissions().allow(Action.LIMIT, namespace.id())) {
        return missingPermission(Action.LIMIT, namespace);
      }
    }
    return null;
  }

  static MissingPermission missingPermission(Action action, KnownNamespace namespace) {
    return new MissingPermission(
        List.of(Permissions.text(action), Permissions.text(action, namespace.id())));
  }

  private static boolean anyDeleted(List<@Nullable KnownNamespace> namespaces) {
    for (KnownNamespace namespace : namespaces) {
      if (namespace != null && namespace.deleted()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Creates namespaces and waits for them. While the catalog is unavailable, entries are resolved
   * without them and a later request creates them.
   */
  private Step<Resolved> create(Admitted admitted, List<String> names, List<LimitedEntry> entries) {
    if (catalog.isFailing()) {
      return resolveAgain(admitted, entries);
    }
    CompletableFuture<?>[] created = names.stream()
        .map(name -> catalog.editor().createNamespace(admitted.caller(), name))
        .toArray(CompletableFuture<?>[]::new);
    return Step.await(
        CompletableFuture.allOf(created).orTimeout(CREATION_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS),
        admitted.request().executor(),
        done -> resolveAgain(admitted, entries),
        failure -> {
          RequestLog.warn(
              admitted.request().id(),
              admitted.request().path(),
              "namespace not created; its requests are counted without it",
              "workspace",
              admitted.caller().workspace().id(),
              "namespaces",
              String.join(", ", names),
              "reason",
              RootCause.message(failure));
          return resolveAgain(admitted, entries);
        });
  }

  /** Another node may have deleted a namespace while this one was creating it. */
  private static Step<Resolved> resolveAgain(Admitted admitted, List<LimitedEntry> entries) {
    List<@Nullable KnownNamespace> namespaces = find(admitted.caller().workspace(), entries);
    return anyDeleted(namespaces)
        ? admitted.refuse(Reason.NAMESPACE_DELETED)
        : resolved(admitted, entries, namespaces);
  }

  private static Step<Resolved> resolved(
      Admitted admitted, List<LimitedEntry> entries, List<@Nullable KnownNamespace> namespaces) {
    String workspaceId = admitted.caller().workspace().id();
    List<ResolvedEntry> resolved = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      resolved.add(ResolvedEntry.of(workspaceId, entries.get(i), namespaces.get(i)));
    }
    return admitted.succeed(new Resolved(admitted, resolved));
  }
}
