package io.tidegate.catalog;

import java.util.List;

/**
 * The rows of the catalog that changed after a version, including deleted and revoked ones.
 *
 * @param version version from which to read the next changes
 * @param workspaces created or changed workspaces
 * @param keys created or changed keys
 * @param namespaces created or changed namespaces
 * @param overrides created or changed overrides
 */
public record CatalogChanges(
    long version,
    List<Workspace> workspaces,
    List<RootKey> keys,
    List<Namespace> namespaces,
    List<LimitOverride> overrides) {

  /** Copies the lists. */
  public CatalogChanges {
    workspaces = List.copyOf(workspaces);
    keys = List.copyOf(keys);
    namespaces = List.copyOf(namespaces);
    overrides = List.copyOf(overrides);
  }
}
