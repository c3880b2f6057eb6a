package io.tidegate.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The decision on a {@link LimitRequest}. A denial is a decision, never an exception.
 *
 * <pre>{@code
 * if (!decision.allowed()) {
 *   response.status(429);
 *   decision.retryAfter().ifPresent(wait -> response.header("Retry-After", wait.toSeconds() + 1));
 * }
 * }</pre>
 *
 * @param allowed whether the request is within the limit
 * @param limit the limit of the request
 * @param remaining tokens left after this request; 0 when denied
 * @param resetAtMillis when the current fixed window ends
 * @param retryAfterMillis 0 when allowed; otherwise the time until the sliding window admits this
 *     cost if there are no other requests, exact to the millisecond; {@link #NEVER} when the cost
 *     exceeds the limit or the limit is 0
 * @param effectiveCount the count that was compared with the limit: current cell, plus weighted
 *     previous cell, plus cost. {@code remaining + effectiveCount == limit} when allowed
 * @param source the source of the counts
 * @param degraded whether the decision needed a read of the origin that failed, and used the counts
 *     in memory instead
 */
public record Decision(
    boolean allowed,
    long limit,
    long remaining,
    long resetAtMillis,
    long retryAfterMillis,
    long effectiveCount,
    Source source,
    boolean degraded) {

  /** The {@link #retryAfterMillis} of a request that will never be allowed. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The source of the counts of a decision. */
  public enum Source {
    /** The memory of this node. */
    LOCAL,
    /** The origin of the region, read for this decision. */
    ORIGIN
  }

  /** Rejects contradictory values. */
  public Decision {
    Objects.requireNonNull(source, "source must not be null");
    if ((limit | remaining | retryAfterMillis | effectiveCount) < 0) {
      throw new IllegalArgumentException(
          "limit, remaining, retryAfterMillis and effectiveCount must not be negative: %d, %d, %d, %d"
              .formatted(limit, remaining, retryAfterMillis, effectiveCount));
    }
    if (allowed != (retryAfterMillis == 0)) {
      throw new IllegalArgumentException(
          "retryAfterMillis must be 0 if and only if allowed: " + retryAfterMillis);
    }
  }

  /**
   * Returns the time to wait before a retry: empty when allowed, and empty when no wait helps.
   *
   * <p>{@code decision.retryAfter().ifPresent(wait -> log("try again in " + wait))}
   *
   * @return the wait, exact to the millisecond
   */
  public Optional<Duration> retryAfter() {
    return allowed || retryAfterMillis == NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(retryAfterMillis));
  }

  /**
   * Returns this decision with another source: {@code decision.restingOn(Source.ORIGIN, false)}.
   *
   * @param source the source of the counts
   * @param degraded whether a read of the origin failed
   * @return the decision
   */
  public Decision restingOn(Source source, boolean degraded) {
    return new Decision(
        allowed,
        limit,
        remaining,
        resetAtMillis,
        retryAfterMillis,
        effectiveCount,
        source,
        degraded);
  }
}
