package io.tidegate.catalog;

import org.jspecify.annotations.Nullable;

/**
 * A tenant of the catalog.
 *
 * @param id {@code ws_} and more; never used again
 * @param name what people call it
 * @param enabled whether its keys are let in
 * @param requestsPerMinute how many requests of all its keys are answered; null for any number
 * @param version of the catalog, as of its last change
 */
public record Workspace(
    String id, String name, boolean enabled, @Nullable Long requestsPerMinute, long version) {}
