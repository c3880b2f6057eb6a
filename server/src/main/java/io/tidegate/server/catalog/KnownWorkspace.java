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

/** A workspace and its namespaces, as far as this node knows. */
public final class KnownWorkspace {

  /**
   * The workspace under which the limiter counts the requests of all others. No id of the catalog
   * is like it.
   */
  public static final String OWN_WORKSPACE = "tidegate";

  private static final String THROTTLE = "workspace throttle";

  private final String id;
  private final Map<String, KnownNamespace> byId = new ConcurrentHashMap<>();
  private final Map<String, KnownNamespace> byName = new ConcurrentHashMap<>();
  private volatile @Nullable Workspace workspace;

  /** What one request of this workspace asks the limiter; null if it may make any number. */
  private volatile @Nullable LimitRequest throttle;

  private final AtomicInteger edits = new AtomicInteger();
  private final AtomicInteger patterns = new AtomicInteger();

  KnownWorkspace(String id) {
    this.id = id;
  }

  /** Its id. */
  public String id() {
    return id;
  }

  /** As the catalog has it; null if only parts of it have been heard of. */
  public @Nullable Workspace workspace() {
    return workspace;
  }

  /** What one request of this workspace asks the limiter; null if it may make any number. */
  public @Nullable LimitRequest throttle() {
    return throttle;
  }

  /**
   * The namespace of this id or this name, also a deleted one; null if there is none. No name is
   * like an id: see {@link Namespace#isId}.
   */
  public @Nullable KnownNamespace namespace(String nameOrId) {
    KnownNamespace found = byName.get(nameOrId);
    return found != null ? found : byId.get(nameOrId);
  }

  /** How many namespaces there are, deleted ones among them. */
  public int namespaces() {
    return byId.size();
  }

  /** How many patterns have an override, or had one: each takes memory for good. */
  public int patterns() {
    return patterns.get();
  }

  /** Counts an edit that is to be made, unless so many are already. */
  boolean beginEdit(int most) {
    if (edits.incrementAndGet() <= most) {
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
    } else if (known.namespace.version() < changed.version()) {
      known.namespace = changed;
    }
    return known;
  }

  /** Takes note of an override, which holds at once. */
  void apply(LimitOverride changed) {
    stage(changed).publish();
  }

  /** Takes note of an override, one of several: they hold once they are published. */
  Overrides stage(LimitOverride changed) {
    KnownNamespace known = byId.get(changed.namespaceId());
    if (known == null) {
      throw new IllegalStateException(
          "an override of a namespace that is not in the catalog: " + changed.id());
    }
    if (known.overrides().apply(changed)) {
      patterns.incrementAndGet();
    }
    return known.overrides();
  }
}
