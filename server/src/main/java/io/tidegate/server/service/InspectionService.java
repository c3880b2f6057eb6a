package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.SeriesInspection;
import io.tidegate.model.Bounds;
import io.tidegate.model.Scope;
import io.tidegate.rules.Rule;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.activity.Activity;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownOverride;
import io.tidegate.server.catalog.KnownWorkspace;
import io.tidegate.server.service.IdentifierInspection.LimitSource;
import io.tidegate.server.service.IdentifierInspection.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers operators' questions: what is known of an identifier, which workspaces there are, and
 * which overrides a namespace has. Charges nothing and changes nothing. Operators need no root key.
 *
 * <p>Safe for use by many threads. Methods never block.
 */
public final class InspectionService {

  /** Windows of one answer: each costs a read of the origin and of the global counters. */
  private static final int MAX_WINDOWS = 12;

  /** Overrides of one answer. */
  public static final int MAX_OVERRIDES = 1_000;

  private final RateLimiter limiter;
  private final CatalogFollower catalog;
  private final Supplier<RuleSet> rules;
  private final Activity activity;

  /**
   * Creates a service.
   *
   * @param limiter has the counts
   * @param catalog workspaces, namespaces and overrides
   * @param rules the limits of rules
   * @param activity the limits in recent use
   */
  public InspectionService(
      RateLimiter limiter, CatalogFollower catalog, Supplier<RuleSet> rules, Activity activity) {
    this.limiter = limiter;
    this.catalog = catalog;
    this.rules = rules;
    this.activity = activity;
  }

  /** A workspace: its id, and its name for people. */
  public record WorkspaceName(String id, String name) {}

  /** All workspaces of the catalog, in ascending order of their ids. */
  public List<WorkspaceName> workspaces() {
    return catalog.directory().workspaces().stream()
        .map(workspace -> new WorkspaceName(workspace.id(), workspace.name()))
        .toList();
  }

  /** The rules in use. */
  public List<Rule> rules() {
    return List.copyOf(rules.get().rules());
  }

  /**
   * Finds what is known of an identifier. Stores that do not answer are reported in the result.
   *
   * @throws IllegalArgumentException if the workspace is unknown or a value is out of bounds; the
   *     message shows it
   */
  public CompletableFuture<IdentifierInspection> inspect(InspectionRequest request) {
    Bounds.checkName("identifier", request.identifier());
    String workspace = workspace(request.workspace());
    KnownNamespace known = namespace(workspace, request.namespace());
    String namespace = known == null ? request.namespace() : known.name();
    KnownOverride override =
        known == null || known.deleted() ? null : known.overrides().find(request.identifier());
    List<CompletableFuture<Window>> windows = new ArrayList<>();
    limits(workspace, namespace, override, request).forEach((windowMillis, limit) -> {
      if (windows.size() < MAX_WINDOWS) {
        windows.add(window(new Scope(workspace, namespace, windowMillis), request, limit));
      }
    });
    return CompletableFuture.allOf(windows.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> new IdentifierInspection(
            workspace,
            namespace,
            request.identifier(),
            override == null ? null : OverrideDetails.of(override),
            windows.stream().map(CompletableFuture::join).toList()));
  }

  private CompletableFuture<Window> window(Scope scope, InspectionRequest request, Known limit) {
    return limiter
        .inspect(scope, request.identifier())
        .thenApply((SeriesInspection series) -> new Window(limit.limit, limit.source, series))
        .toCompletableFuture();
  }

  /** A limit and its source; both null if no limit is known. */
  private record Known(@Nullable Long limit, @Nullable LimitSource source) {}

  /** The windows to look at, with their limits. A later entry replaces an earlier one. */
  private SortedMap<Long, Known> limits(
      String workspace,
      String namespace,
      @Nullable KnownOverride override,
      InspectionRequest request) {
    SortedMap<Long, Known> limits = new TreeMap<>();
    activity
        .limits(workspace, namespace, request.identifier())
        .forEach((window, limit) -> limits.put(
            window,
            limit.isEmpty()
                ? new Known(null, null)
                : new Known(limit.getAsLong(), LimitSource.RECENT)));
    for (Rule rule : rules.get().rules()) {
      if (rule.domain().equals(workspace) && rule.path().equals(namespace) && !rule.unlimited()) {
        limits.put(rule.windowMillis(), new Known(rule.limit(), LimitSource.RULE));
      }
    }
    Long only = request.windowMillis();
    if (only != null) {
      Bounds.checkWindow(only);
      limits.keySet().removeIf(window -> !window.equals(only));
      limits.putIfAbsent(only, new Known(null, null));
    }
    Long limit = request.limit();
    if (limit != null) {
      Bounds.checkTokens("limit", limit);
      limits.replaceAll((window, known) -> new Known(limit, LimitSource.REQUEST));
    }
    if (override != null && (only == null || only == override.durationMillis())) {
      limits.put(override.durationMillis(), new Known(override.limit(), LimitSource.OVERRIDE));
    }
    return limits;
  }

  /**
   * Lists the overrides of a namespace, at most {@link #MAX_OVERRIDES} and one more.
   *
   * @throws IllegalArgumentException if the workspace or the namespace is unknown
   */
  public List<OverrideDetails> overrides(@Nullable String workspaceId, String nameOrId) {
    KnownNamespace known = namespace(workspace(workspaceId), nameOrId);
    if (known == null || known.deleted()) {
      throw new IllegalArgumentException("no namespace has the name or id " + nameOrId);
    }
    return known.overrides().page("", MAX_OVERRIDES + 1).stream()
        .map(OverrideDetails::of)
        .toList();
  }

  private @Nullable KnownNamespace namespace(String workspaceId, String nameOrId) {
    Bounds.checkName("namespace", nameOrId);
    KnownWorkspace workspace = catalog.directory().workspace(workspaceId);
    return workspace == null ? null : workspace.namespace(nameOrId);
  }

  private String workspace(@Nullable String id) {
    List<WorkspaceName> all = workspaces();
    if (id == null) {
      if (all.size() != 1) {
        throw new IllegalArgumentException(
            "there are " + all.size() + " workspaces; choose one by its id");
      }
      return all.get(0).id();
    }
    if (catalog.directory().workspace(id) == null && !rules.get().domains().contains(id)) {
      throw new IllegalArgumentException("no workspace or rule domain has the id " + id);
    }
    return id;
  }
}
