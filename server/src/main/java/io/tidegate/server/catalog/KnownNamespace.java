package io.tidegate.server.catalog;

import io.tidegate.catalog.Namespace;

/**
 * This node's copy of a namespace and its overrides.
 *
 * <p>Any thread may read. Changes are applied under the lock of the workspace.
 */
public final class KnownNamespace {

  private final String id;
  private final String name;
  private final Overrides overrides = new Overrides();

  private volatile boolean deleted;

  /** Version of the catalog that this copy reflects. Guarded by the workspace. */
  private long version;

  KnownNamespace(Namespace namespace) {
    this.id = namespace.id();
    this.name = namespace.name();
    this.deleted = namespace.deleted();
    this.version = namespace.version();
  }

  /** Whether a text has the form of a namespace id. No name has this form. */
  public static boolean isId(String text) {
    return Namespace.isId(text);
  }

  public String id() {
    return id;
  }

  /** The name that clients use. It never changes. */
  public String name() {
    return name;
  }

  public boolean deleted() {
    return deleted;
  }

  public Overrides overrides() {
    return overrides;
  }

  /** Applies a change unless a newer one was applied before. */
  void apply(Namespace changed) {
    if (version < changed.version()) {
      version = changed.version();
      deleted = changed.deleted();
    }
  }
}
