package io.tidegate.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The decision on a batch: either all costs were taken, or none.
 *
 * <pre>{@code
 * BatchDecision batch = limiter.tryAcquireAll(List.of(perUser, perAccount));
 * if (!batch.allowed()) {
 *   reject(batch.retryAfterMillis());
 * }
 * }</pre>
 *
 * @param allowed whether all requests are within their limits
 * @param decisions the decision on each request, in the same order. When the batch is denied,
 *     requests within their limits are {@code allowed} here, but since nothing was taken, their
 *     {@code remaining} and {@code effectiveCount} do not include the cost
 */
public record BatchDecision(boolean allowed, List<Decision> decisions) {

  /** Copies the decisions, and rejects those that contradict {@code allowed}. */
  public BatchDecision {
    decisions = List.copyOf(Objects.requireNonNull(decisions, "decisions must not be null"));
    boolean allAllowed = true;
    for (Decision decision : decisions) {
      allAllowed &= decision.allowed();
    }
    if (allowed != allAllowed) {
      throw new IllegalArgumentException(
          "a batch is allowed if and only if all its decisions are: " + decisions);
    }
  }

  /**
   * Returns the time until the whole batch is allowed if there are no other requests:
   * {@code batch.retryAfterMillis()}.
   *
   * @return 0 when allowed, {@link Decision#NEVER} when no wait helps
   */
  public long retryAfterMillis() {
    return decisions.stream().mapToLong(Decision::retryAfterMillis).max().orElse(0);
  }

  /**
   * Returns the time to wait before a retry: empty when allowed, and empty when no wait helps.
   *
   * <p>{@code batch.retryAfter().ifPresent(wait -> log("try again in " + wait))}
   *
   * @return the wait, exact to the millisecond
   */
  public Optional<Duration> retryAfter() {
    long millis = retryAfterMillis();
    return allowed || millis == Decision.NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(millis));
  }
}
