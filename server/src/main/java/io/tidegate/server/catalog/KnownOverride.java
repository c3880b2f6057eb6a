package io.tidegate.server.catalog;

import io.tidegate.catalog.LimitOverride;

/**
 * This node's copy of an override.
 *
 * @param id {@code rlor_...}
 * @param identifier pattern of identifiers; {@code *} matches any run of characters
 * @param limit tokens per window; 0 denies every request
 * @param durationMillis length of the window
 * @param deleted whether the override is deleted
 * @param version version of the catalog in which it last changed
 */
public record KnownOverride(
    String id, String identifier, long limit, long durationMillis, boolean deleted, long version) {

  static KnownOverride of(LimitOverride override) {
    return new KnownOverride(
        override.id(),
        override.identifier(),
        override.limit(),
        override.durationMillis(),
        override.deleted(),
        override.version());
  }
}
