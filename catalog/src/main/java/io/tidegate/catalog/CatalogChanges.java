package io.tidegate.catalog;

import java.util.List;

/**
 * What has changed in the catalog, gone things among it.
 *
 * @param version from which to ask for the next changes
 * @param workspaces made or changed
 * @param keys made or changed
 * @param namespaces made or changed
 * @param overrides made or changed
 */
public record CatalogChanges(
    long version,
    List<Workspace> workspaces,
    List<RootKey> keys,
    List<Namespace> namespaces,
    List<LimitOverride> overrides) {

  /** Keeps its own copies. */
  public CatalogChanges {
    workspaces = List.copyOf(workspaces);
    keys = List.copyOf(keys);
    namespaces = List.copyOf(namespaces);
    overrides = List.copyOf(overrides);
  }
}
