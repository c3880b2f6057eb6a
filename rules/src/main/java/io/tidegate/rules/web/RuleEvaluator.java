package io.tidegate.rules.web;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.rules.Identifiers;
import io.tidegate.rules.PolicyDecision;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates one rule for requests: calls the functions of the application, and survives their
 * exceptions in a way that never lets a request pass unlimited by accident. Thread-safe.
 */
final class RuleEvaluator {

  /**
   * The identifier of all requests without a key. No key has it, because {@link #identifier} puts a
   * backslash before keys that begin with one.
   */
  static final String SHARED = "\\shared";

  private static final long FALLBACK_COST = 1;

  private final WebRule rule;
  private final Scope scope;
  private final LimitProvider limits;
  private final WebListener listener;
  private final RareWarning warning;

  RuleEvaluator(WebRule rule, WebLimiter.Builder builder) {
    this.rule = rule;
    this.scope = new Scope(builder.workspace, rule.name(), rule.limit().windowMillis());
    this.limits = builder.limits;
    this.listener = builder.listener;
    this.warning = new RareWarning(builder.clock);
  }

  WebRule rule() {
    return rule;
  }

  /** Whether the rule applies to a request. A condition that throws is fulfilled. */
  boolean applies(WebRequest request) {
    if (!rule.covers(request)) {
      return false;
    }
    Predicate<WebRequest> condition = rule.condition();
    if (condition == null) {
      return true;
    }
    try {
      return condition.test(request);
    } catch (Exception e) {
      failed("when", "the rule applies", e);
      return true;
    }
  }

  /** The key of a request; null if it has none or its function throws. */
  @Nullable
  String key(WebRequest request) {
    String key = null;
    try {
      key = rule.key().keyOf(request);
    } catch (Exception e) {
      failed("key", "the request counts as one without a key", e);
    }
    if (key != null && !key.isBlank()) {
      return key;
    }
    try {
      listener.keyMissing(rule);
    } catch (Exception e) {
      listenerFailed(e);
    }
    return null;
  }

  /** What a request is charged, with its key, or null for the count of all requests without one. */
  LimitRequest charge(WebRequest request, @Nullable String key) {
    Limit limit = limit(key);
    Scope limited = limit.windowMillis() == scope.windowMillis()
        ? scope
        : new Scope(scope.workspace(), scope.namespace(), limit.windowMillis());
    return new LimitRequest(limited, identifier(key), limit.tokens(), cost(request));
  }

  private Limit limit(@Nullable String key) {
    if (key != null) {
      try {
        Limit limit = limits.limitFor(rule.name(), key);
        return limit == null ? rule.limit() : limit;
      } catch (Exception e) {
        failed("limit", "the limit of the rule applies", e);
      }
    }
    return rule.limit();
  }

  private long cost(WebRequest request) {
    try {
      long cost = rule.cost().applyAsLong(request);
      return cost < 0 ? FALLBACK_COST : Math.min(cost, Bounds.MAX_TOKENS);
    } catch (Exception e) {
      failed("cost", "the cost is " + FALLBACK_COST, e);
      return FALLBACK_COST;
    }
  }

  private static String identifier(@Nullable String key) {
    if (key == null) {
      return SHARED;
    }
    return Identifiers.shorten(key.charAt(0) == '\\' ? "\\" + key : key);
  }

  void report(@Nullable String key, Decision decision) {
    try {
      listener.decided(rule, key, decision);
    } catch (Exception e) {
      listenerFailed(e);
    }
  }

  PolicyDecision policyDecision(LimitRequest request, Decision decision) {
    return new PolicyDecision(rule.name(), request.scope().windowMillis(), decision);
  }

  private void failed(String function, String consequence, Exception failure) {
    warning.log(
        "The %s function of rule \"%s\" failed; %s".formatted(function, rule.name(), consequence),
        failure);
    try {
      listener.functionFailed(rule, function, failure);
    } catch (Exception e) {
      listenerFailed(e);
    }
  }

  private void listenerFailed(Exception failure) {
    warning.log(
        "The listener failed on an event of rule \"" + rule.name() + "\"; the event is lost",
        failure);
  }
}
