package io.tidegate.spring.method;

import io.tidegate.model.Decision;
import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.PolicyDecision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * Reports a call that was denied by {@link RateLimited} and did not run.
 *
 * <pre>{@code
 * try {
 *   orders.place(userId, cart);
 * } catch (RateLimitedException e) {
 *   e.retryAfter().ifPresent(wait -> queue.retryIn(wait, cart));
 * }
 * }</pre>
 *
 * <p>If a web request causes it, the response is 429 with the usual headers and body, unless an
 * {@code @ExceptionHandler} of the application handles it. It has no stack trace, because denials
 * are frequent when limits matter; the message has the method.
 */
@ResponseStatus(
    HttpStatus.TOO_MANY_REQUESTS) // ignored by the JVM in applications without spring-web
public class RateLimitedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<PolicyDecision> decisions;

  /**
   * Creates an exception, for tests of fallbacks and handlers: {@code new
   * RateLimitedException("OrderService.place", decisions)}.
   *
   * @param method the class and the method, for the message
   * @param decisions the decisions on the call, one of which at least is a denial
   */
  public RateLimitedException(String method, List<PolicyDecision> decisions) {
    super(message(method, decisions), null, false, false);
    this.decisions = List.copyOf(decisions);
  }

  /**
   * Returns the decision that denies the call; if there are several, the one with the longest wait:
   * {@code exception.decision().retryAfter()}.
   *
   * @return the denial
   */
  public Decision decision() {
    return binding(decisions).decision();
  }

  /**
   * Returns the decisions of all limits of the method, with their names:
   * {@code exception.decisions().get(0).policy()}.
   *
   * @return in the order of the annotations; those within their limits are {@code allowed}
   */
  public List<PolicyDecision> decisions() {
    return decisions;
  }

  /**
   * Returns the time until the call would be allowed if there are no others:
   * {@code exception.retryAfter()}.
   *
   * @return empty if no wait helps
   */
  public Optional<Duration> retryAfter() {
    return decision().retryAfter();
  }

  private static PolicyDecision binding(List<PolicyDecision> decisions) {
    return DecisionHeaders.binding(decisions);
  }

  private static String message(String method, List<PolicyDecision> decisions) {
    PolicyDecision denial = binding(decisions);
    return "limit \"%s\" of %d per %s is used up, %s was not called; %s"
        .formatted(
            denial.policy(),
            denial.decision().limit(),
            Duration.ofMillis(denial.windowMillis()),
            method,
            denial
                .decision()
                .retryAfter()
                .map(wait -> "retry after " + wait.toMillis() + " ms")
                .orElse("waiting does not help"));
  }
}
