package io.tidegate.server.service;

import io.tidegate.server.catalog.KnownOverride;

/**
 * An override.
 *
 * @param id the id, which stays the same when the override is changed, deleted or restored
 * @param identifier the identifier or pattern it applies to
 * @param limit tokens per window
 * @param durationMillis the length of the window
 */
public record OverrideDetails(String id, String identifier, long limit, long durationMillis) {

  static OverrideDetails of(KnownOverride override) {
    return new OverrideDetails(
        override.id(), override.identifier(), override.limit(), override.durationMillis());
  }
}
