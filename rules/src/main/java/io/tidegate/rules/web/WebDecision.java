package io.tidegate.rules.web;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.PolicyDecision;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The decision on a request, with the answer to a denied one.
 *
 * <pre>{@code
 * decision.headers().forEach(response::setHeader);
 * if (!decision.allowed()) {
 *   response.setStatus(decision.status());
 *   response.setContentType(ProblemBody.CONTENT_TYPE);
 *   response.getWriter().write(decision.body());
 * }
 * }</pre>
 *
 * @param allowed whether all rules allow the request
 * @param status 200 if allowed, 429 if a limit is used up, 403 without a required key
 * @param decisions the decisions of the rules that apply, in their order; without shadow rules;
 *     empty if no rule applies, and if the status is 403
 * @param headers headers of the response, allowed or denied, in a stable order
 * @param body a problem of RFC 9457 in JSON and ASCII; empty if allowed
 */
public record WebDecision(
    boolean allowed,
    int status,
    List<PolicyDecision> decisions,
    Map<String, String> headers,
    String body) {

  /** The decision on a request that no rule applies to. */
  static final WebDecision UNLIMITED = new WebDecision(true, 200, List.of(), Map.of(), "");

  /** Makes lists and headers unmodifiable. */
  public WebDecision {
    decisions = List.copyOf(decisions);
    headers = Collections.unmodifiableMap(headers);
  }

  /**
   * Returns the decision that a client meets first: the denial with the longest wait, otherwise the
   * one with the least left: {@code decision.binding().map(PolicyDecision::policy)}.
   *
   * @return empty if there are no decisions
   */
  public Optional<PolicyDecision> binding() {
    return decisions.isEmpty() ? Optional.empty() : Optional.of(DecisionHeaders.binding(decisions));
  }
}
