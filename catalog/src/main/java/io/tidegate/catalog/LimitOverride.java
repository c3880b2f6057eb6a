package io.tidegate.catalog;

/**
 * A limit that replaces the limit of requests for some identifiers of a namespace.
 *
 * @param id {@code rlor_...}; a pattern of a namespace keeps its id when it is deleted and restored
 * @param workspaceId workspace of the override
 * @param namespaceId namespace of the override
 * @param identifier pattern of identifiers; {@code *} matches any run of characters
 * @param limit tokens per window; 0 denies every request
 * @param durationMillis length of the window
 * @param deleted whether the override is deleted
 * @param createdAtMillis milliseconds since 1970
 * @param updatedAtMillis milliseconds since 1970
 * @param version version of the catalog in which it last changed
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
