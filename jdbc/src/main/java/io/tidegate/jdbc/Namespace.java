package io.tidegate.jdbc;

/**
 * A topic of limits within a workspace.
 *
 * @param id {@code rlns_} and more
 * @param workspaceId whose it is
 * @param name what clients call it; never given to another one of the workspace
 * @param deleted whether it is gone
 * @param createdAtMillis milliseconds since 1970
 * @param version of the catalog, as of its last change
 */
public record Namespace(
    String id,
    String workspaceId,
    String name,
    boolean deleted,
    long createdAtMillis,
    long version) {}
