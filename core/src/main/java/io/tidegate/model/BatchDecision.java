package io.tidegate.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer to a batch: either every request's cost was taken, or none was.
 *
 * <pre>{@code
 * BatchDecision batch = limiter.tryAcquireAll(List.of(perUser, perAccount));
 * if (!batch.allowed()) {
 *   reject(batch.retryAfterMillis());
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

  /** Keeps its own copy of the decisions, and refuses those that contradict the verdict. */
  public BatchDecision {
    decisions = List.copyOf(Objects.requireNonNull(decisions, "decisions must not be null"));
    boolean allPass = true;
    for (Decision decision : decisions) {
      allPass &= decision.allowed();
    }
    if (allowed != allPass) {
      throw new IllegalArgumentException(
          "a batch is allowed if and only if all its decisions are: " + decisions);
    }
  }

  /**
   * How long until the whole batch would be admitted if nothing else came:
   * {@code batch.retryAfterMillis()}.
   *
   * @return 0 when allowed, {@link Decision#NEVER} when no wait helps
   */
  public long retryAfterMillis() {
    return decisions.stream().mapToLong(Decision::retryAfterMillis).max().orElse(0);
  }

  /**
   * How long to wait before asking again: empty when allowed, and empty when no wait helps.
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
