package io.tidegate.catalog;

import org.jspecify.annotations.Nullable;

/**
 * A tenant of the catalog.
 *
 * @param id {@code ws_...}; never reused
 * @param name name for people
 * @param enabled whether requests of its keys are accepted
 * @param requestsPerMinute maximum number of requests of all its keys; null if unlimited
 * @param version version of the catalog in which it last changed
 */
public record Workspace(
    String id, String name, boolean enabled, @Nullable Long requestsPerMinute, long version) {}
