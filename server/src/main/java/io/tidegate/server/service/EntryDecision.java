package io.tidegate.server.service;

import io.tidegate.model.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one entry of a request.
 *
 * @param entry the entry as the caller sent it
 * @param overrideId the override that replaced the entry's limit and duration; null if none did
 * @param shadow whether the limit counts but never denies
 * @param decision the decision
 */
public record EntryDecision(
    LimitEntry entry, @Nullable String overrideId, boolean shadow, Decision decision) {

  /** Whether the caller may go on: within the limit, or the limit never denies. */
  public boolean allowed() {
    return shadow || decision.allowed();
  }
}
