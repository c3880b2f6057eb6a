package io.tidegate.server.service;

import io.tidegate.model.Decision;
import io.tidegate.rules.Match;
import org.jspecify.annotations.Nullable;

/**
 * The decision on one descriptor.
 *
 * @param allowed whether the descriptor allows the request; always true for a shadow rule, and true
 *     for a descriptor within its limit even if another one denies the request
 * @param match the rule that applies; null if none does
 * @param decision the decision of the limiter; null if no rule applies, or an unlimited one
 * @param hits tokens that the descriptor asked for; 0 if it peeked
 * @param windowMillis the window of the limit, of the rule or of an override; 0 without a decision
 */
public record DescriptorResult(
    boolean allowed,
    @Nullable Match match,
    @Nullable Decision decision,
    long hits,
    long windowMillis) {}
