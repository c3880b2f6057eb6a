package io.tidegate.rules;

import io.tidegate.model.Decision;
import java.util.Objects;

/**
 * A decision with the name and the window of its limit, as clients see them.
 *
 * <pre>{@code
 * new PolicyDecision("login", 60_000, limiter.tryAcquire(request));
 * }</pre>
 *
 * @param policy the name of the limit for clients, such as the name of a rule
 * @param windowMillis length of the window
 * @param decision the decision
 */
public record PolicyDecision(String policy, long windowMillis, Decision decision) {

  /** Rejects absent values. */
  public PolicyDecision {
    Objects.requireNonNull(policy, "policy must not be null");
    Objects.requireNonNull(decision, "decision must not be null");
  }
}
