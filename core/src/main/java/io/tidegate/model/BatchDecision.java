package io.tidegate.model;

import java.util.List;
import java.util.Objects;

/**
 * The answer to a batch: either every request's cost was taken, or none was.
 *
 * <pre>{@code
 * BatchDecision batch = limiter.tryAcquireAll(List.of(perUser, perAccount));
 * if (!batch.allowed()) {
 *   reject(batch.decisions());
 * }
 * }</pre>
 *
 * @param allowed whether all requests are within their limits, and so were taken
 * @param decisions the verdict on each request, in the order of the requests. When the batch is
 *     denied, a request that would have passed is {@code allowed} here and its {@code remaining}
 *     and {@code effectiveCount} are without its cost, for nothing was taken; each verdict then
 *     stands for itself, as if asked one after another
 */
public record BatchDecision(boolean allowed, List<Decision> decisions) {

  /** Keeps its own copy of the decisions. */
  public BatchDecision {
    decisions = List.copyOf(Objects.requireNonNull(decisions, "decisions must not be null"));
  }
}
