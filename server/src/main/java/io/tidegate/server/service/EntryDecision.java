package io.tidegate.server.service;

import io.tidegate.model.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one entry of a request.
 *
 * @param entry the entry as the caller sent it
 * @param overrideId the override that replaced the entry's limit and duration; null if none did
 * @param decision the decision
 */
public record EntryDecision(LimitEntry entry, @Nullable String overrideId, Decision decision) {}
