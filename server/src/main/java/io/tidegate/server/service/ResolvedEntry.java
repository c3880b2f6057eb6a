package io.tidegate.server.service;

import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownOverride;
import org.jspecify.annotations.Nullable;

/**
 * An entry with the limit that applies to it.
 *
 * @param entry the entry with the limit that it asks for
 * @param overrideId the override that applies; null if none does
 * @param request the request to the limiter
 */
record ResolvedEntry(LimitedEntry entry, @Nullable String overrideId, LimitRequest request) {

  /**
   * Applies the overrides of a namespace to an entry. Counts belong to the name of a namespace,
   * which never changes, so an entry counts the same before and after its namespace is created.
   *
   * @param namespace null if the namespace could not be created yet
   */
  static ResolvedEntry of(
      String workspaceId, LimitedEntry entry, @Nullable KnownNamespace namespace) {
    if (namespace == null) {
      return of(workspaceId, entry, entry.namespace());
    }
    String name = namespace.name();
    KnownOverride override = namespace.overrides().find(entry.identifier());
    if (override == null) {
      return of(workspaceId, entry, name);
    }
    Scope scope = new Scope(workspaceId, name, override.durationMillis());
    return new ResolvedEntry(
        entry,
        override.id(),
        new LimitRequest(
            scope, entry.identifier(), override.limit(), entry.entry().cost()));
  }

  private static ResolvedEntry of(String workspaceId, LimitedEntry entry, String namespace) {
    Scope scope = new Scope(workspaceId, namespace, entry.durationMillis());
    return new ResolvedEntry(
        entry,
        null,
        new LimitRequest(scope, entry.identifier(), entry.limit(), entry.entry().cost()));
  }

  boolean isShadow() {
    return entry.shadow();
  }

  EntryDecision decided(Decision decision) {
    return new EntryDecision(entry.entry(), overrideId, entry.shadow(), decision);
  }
}
