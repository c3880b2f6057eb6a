package io.tidegate.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer to a {@link LimitRequest}. A denial is an answer, never an exception.
 *
 * <pre>{@code
 * if (!decision.allowed()) {
 *   response.status(429);
 *   decision.retryAfter().ifPresent(wait -> response.header("Retry-After", wait.toSeconds() + 1));
 * }
 * }</pre>
 *
 * @param allowed whether the request is within the limit
 * @param limit the limit it was held against
 * @param remaining tokens left after this request; 0 when denied
 * @param resetAtMillis when the current fixed window ends
 * @param retryAfterMillis 0 when allowed; else how long until the sliding window would admit this
 *     cost if nothing else came, exact to the millisecond; {@link #NEVER} when no wait helps,
 *     because the cost exceeds the limit or the limit is 0
 * @param effectiveCount what was compared with the limit: current cell, plus weighted previous
 *     cell, plus cost. {@code remaining + effectiveCount == limit} when allowed
 * @param source where the counts came from
 * @param degraded whether a read that should have come first failed, so that the decision rests on
 *     what this process knew
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

  /** The {@link #retryAfterMillis} of a request that no wait will admit. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Where the counts behind a decision came from. */
  public enum Source {
    /** This process's memory. */
    LOCAL,
    /** The region's origin, read just before deciding. */
    ORIGIN
  }

  /** Refuses an answer that contradicts itself. */
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
   * How long to wait before asking again: empty when allowed, and empty when no wait helps.
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
   * The same answer, resting on other counts: {@code decision.restingOn(Source.ORIGIN, false)}.
   *
   * @param source where the counts came from
   * @param degraded whether a read that should have come first failed
   * @return the answer
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
