package io.tidegate.server.catalog;

import io.tidegate.catalog.LimitOverride;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.Workspace;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * This node's copy of a workspace and its namespaces.
 *
 * <p>Any thread may read. Changes are applied under this object's lock, newest version wins.
 */
public final class KnownWorkspace {

  /**
   * The workspace under which the limiter counts the requests of all workspaces for their
   * throttles. Ids of the catalog begin with {@code ws_}, so none is equal to it.
   */
  public static final String OWN_WORKSPACE = "tidegate";

  /** Overrides per workspace. Every node keeps all of them in memory, deleted ones included. */
  public static final int MAX_OVERRIDES = 100_000;

  private static final String THROTTLE = "workspace throttle";

  private final String id;
  private final Map<String, KnownNamespace> byId = new ConcurrentHashMap<>();
  private final Map<String, KnownNamespace> byName = new ConcurrentHashMap<>();

  /** Null until the row of the workspace is read; its keys and namespaces may be read before. */
  private volatile @Nullable Workspace workspace;

  private volatile @Nullable LimitRequest throttle;

  private final AtomicInteger edits = new AtomicInteger();
  private final AtomicInteger patterns = new AtomicInteger();

  KnownWorkspace(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }

  /** The name for people; empty until the row of the workspace is read. */
  public String name() {
    Workspace current = workspace;
    return current == null ? "" : current.name();
  }

  /** Whether the row of the workspace was read. Until then its keys are not accepted. */
  boolean isRead() {
    return workspace != null;
  }

  /** Whether requests of its keys are accepted. */
  public boolean enabled() {
    Workspace current = workspace;
    return current != null && current.enabled();
  }

  /**
   * The request that each request of the workspace sends to the limiter first; null if the number
   * of requests is unlimited.
   */
  public @Nullable LimitRequest throttle() {
    return throttle;
  }

  /**
   * The namespace with this id or name, deleted or not; null if there is none. A name never has the
   * form of an id: see {@link KnownNamespace#isId}.
   */
  public @Nullable KnownNamespace namespace(String nameOrId) {
    KnownNamespace found = byName.get(nameOrId);
    return found != null ? found : byId.get(nameOrId);
  }

  /** Number of namespaces, including deleted ones. */
  public int namespaces() {
    return byId.size();
  }

  /** Number of patterns that have or had an override: each takes memory until a restart. */
  int patterns() {
    return patterns.get();
  }

  /** Whether the bounds permit an override with this pattern. An existing one can be changed. */
  public boolean hasRoomFor(KnownNamespace namespace, String pattern) {
    Overrides overrides = namespace.overrides();
    return overrides.exact(pattern) != null
        || (patterns() < MAX_OVERRIDES
            && !(Wildcard.isWildcard(pattern) && overrides.wildcards() >= Overrides.MAX_WILDCARDS));
  }

  /** Reserves one of the pending edits of this workspace. False if all of them are taken. */
  boolean beginEdit(int maxPending) {
    if (edits.incrementAndGet() <= maxPending) {
      return true;
    }
    edits.decrementAndGet();
    return false;
  }

  void endEdit() {
    edits.decrementAndGet();
  }

  synchronized void apply(Workspace changed) {
    Workspace known = workspace;
    if (known != null && known.version() >= changed.version()) {
      return;
    }
    Long perMinute = changed.requestsPerMinute();
    throttle = perMinute == null
        ? null
        : LimitRequest.of(OWN_WORKSPACE, THROTTLE, id, Limit.perMinute(perMinute));
    workspace = changed;
  }

  synchronized KnownNamespace apply(Namespace changed) {
    KnownNamespace known = byId.get(changed.id());
    if (known == null) {
      known = new KnownNamespace(changed);
      byId.put(changed.id(), known);
      byName.put(changed.name(), known);
    } else {
      known.apply(changed);
    }
    return known;
  }

  /** Applies a change of an override, which takes effect at once. */
  KnownOverride apply(LimitOverride changed) {
    stage(changed).publish();
    return KnownOverride.of(changed);
  }

  /** Applies one change of several. Wildcards take effect when the overrides are published. */
  Overrides stage(LimitOverride changed) {
    KnownNamespace known = byId.get(changed.namespaceId());
    if (known == null) {
      throw new IllegalStateException("override " + changed.id()
          + " belongs to an unknown namespace: " + changed.namespaceId());
    }
    if (known.overrides().apply(KnownOverride.of(changed))) {
      patterns.incrementAndGet();
    }
    return known.overrides();
  }
}
