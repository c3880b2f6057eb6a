package io.tidegate.catalog;

/**
 * Another limit for some identifiers of a namespace.
 *
 * @param id {@code rlor_} and more; the same for as long as there is this pattern in this namespace
 * @param workspaceId whose it is
 * @param namespaceId where it holds
 * @param identifier the pattern: {@code *} stands for any run of characters
 * @param limit tokens per window; 0 denies everything
 * @param durationMillis length of the window
 * @param deleted whether it is gone
 * @param createdAtMillis milliseconds since 1970
 * @param updatedAtMillis milliseconds since 1970
 * @param version of the catalog, as of its last change
 */
public record LimitOverride(
    String id,
    String workspaceId,
    String namespaceId,
    String identifier,
    long limit,
    long durationMillis,
    boolean deleted,
    long createdAtMillis,
    long updatedAtMillis,
    long version) {}
