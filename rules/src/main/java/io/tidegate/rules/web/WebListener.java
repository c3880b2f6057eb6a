package io.tidegate.rules.web;

import io.tidegate.model.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of a {@link WebLimiter}, for metrics and logs.
 *
 * <pre>{@code
 * WebListener denials = new WebListener() {
 *   public void decided(WebRule rule, String key, Decision decision) {
 *     if (!decision.allowed()) {
 *       counters.increment(rule.name());
 *     }
 *   }
 * };
 * }</pre>
 *
 * <p>Methods run on the thread that completes the decision, and must be fast. An exception that
 * they throw is logged and changes nothing.
 */
public interface WebListener {

  /** Ignores all events. */
  WebListener NONE = new WebListener() {};

  /**
   * Reports the decision of a rule: {@code counters.increment(rule.name(), decision.allowed())}.
   *
   * <p>If several rules apply and one of them denies the request, none is charged, and the
   * decisions of the others are {@code allowed}. A {@linkplain WebRule#isShadow() shadow} rule
   * reports here only; its denial lets the request pass.
   *
   * @param rule the rule
   * @param key the key; null if the request has none and shares the count of such requests
   * @param decision the decision
   */
  default void decided(WebRule rule, @Nullable String key, Decision decision) {}

  /**
   * Reports a request without a key: {@code counters.increment(rule.name())}.
   * {@link WebRule#missingKey} says what happens with it.
   *
   * @param rule the rule
   */
  default void keyMissing(WebRule rule) {}

  /**
   * Reports an exception of a function of the application. {@link WebLimiter} describes what
   * happens with the request.
   *
   * @param rule the rule
   * @param function {@code "key"}, {@code "cost"}, {@code "when"} or {@code "limit"}
   * @param failure the exception
   */
  default void functionFailed(WebRule rule, String function, Exception failure) {}
}
