package io.tidegate.server.catalog;

import io.tidegate.catalog.Namespace;

/** A namespace and its overrides, as far as this node knows. */
public final class KnownNamespace {

  private final Overrides overrides = new Overrides();

  /** Replaced by {@link KnownWorkspace#apply} only. */
  volatile Namespace namespace;

  KnownNamespace(Namespace namespace) {
    this.namespace = namespace;
  }

  /** As the catalog has it. */
  public Namespace namespace() {
    return namespace;
  }

  /** What its identifiers are held against instead. */
  public Overrides overrides() {
    return overrides;
  }
}
