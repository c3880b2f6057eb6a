package io.tidegate.spring.method;

import io.tidegate.model.Bounds;
import io.tidegate.model.Limit;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import io.tidegate.spring.TidegateConfigurationException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.StringUtils;

/**
 * The checked limits of a method: a rule for each annotation, and the fallbacks. Thread-safe.
 *
 * <p>The limiter is created on the first call, because methods are checked before other beans
 * exist.
 */
final class LimitedMethod {

  /** What a method returns, which determines how its calls are decided on. */
  enum Result {
    VALUE,
    STAGE,
    PUBLISHER
  }

  /** The key of calls if the annotation has none. */
  private static final String ALL = "all";

  private final AnnotatedMethod annotated;
  private final Result result;
  private final List<WebRule> rules = new ArrayList<>();
  private final Map<String, FallbackMethod> fallbacks = new HashMap<>();
  private final Function<List<WebRule>, WebLimiter> limiters;
  private boolean readsPrincipal;
  private volatile @Nullable WebLimiter limiter;

  /**
   * Checks the annotations of a method.
   *
   * @param limiters creates the limiter for rules, on the first call
   * @throws TidegateConfigurationException if an annotation is invalid
   */
  LimitedMethod(
      AnnotatedMethod annotated, BeanFactory beans, Function<List<WebRule>, WebLimiter> limiters) {
    this.annotated = annotated;
    this.limiters = limiters;
    annotated.checkInterceptable();
    this.result = result(annotated.method().getReturnType());
    for (RateLimited annotation : annotated.annotations()) {
      WebRule rule = rule(annotation, beans);
      if (rules.stream().anyMatch(other -> other.name().equals(rule.name()))) {
        throw annotated.invalid(
            "name",
            rule.name(),
            "Another annotation of the method has the same name.",
            "Give each annotation of a method a name of its own.");
      }
      rules.add(rule);
      if (!annotation.fallback().isEmpty()) {
        fallbacks.put(rule.name(), FallbackMethod.find(annotated, annotation.fallback()));
      }
    }
  }

  private Result result(Class<?> type) {
    if (CompletionStage.class.isAssignableFrom(type)) {
      return checkResult(Result.STAGE, type, CompletableFuture.class);
    }
    ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
    return adapter == null
        ? Result.VALUE
        : checkResult(Result.PUBLISHER, type, adapter.getReactiveType());
  }

  /** The caller must be able to use what is returned instead of the result of the method. */
  private Result checkResult(Result result, Class<?> type, Class<?> returned) {
    if (!type.isAssignableFrom(returned)) {
      throw annotated.invalid(
          "A method that returns " + type.getSimpleName() + " cannot be limited.",
          "Return " + returned.getSimpleName() + " instead.");
    }
    return result;
  }

  private WebRule rule(RateLimited annotation, BeanFactory beans) {
    WebRule.Builder rule = named(annotation.name())
        .limit(limit(annotation.limit(), window(annotation.window())))
        .key(key(annotation.key(), beans));
    setCost(rule, annotation.cost(), beans);
    return rule.build();
  }

  private WebRule.Builder named(String name) {
    try {
      return WebRule.named(name);
    } catch (IllegalArgumentException e) {
      throw annotated.invalid("name", name, reason(e), "Set a name of 1 to 512 characters.");
    }
  }

  private Limit limit(long tokens, Duration window) {
    try {
      return Limit.of(tokens, window);
    } catch (IllegalArgumentException e) {
      throw annotated.invalid(
          "limit", tokens, reason(e), "Set the number of calls that are allowed per window.");
    }
  }

  private Duration window(String window) {
    try {
      Duration parsed = DurationStyle.detectAndParse(window);
      Bounds.checkWindow(parsed);
      return parsed;
    } catch (IllegalArgumentException e) {
      throw annotated.invalid(
          "window",
          window,
          reason(e),
          "Set a number with a unit, such as 10s, 1m, 1h or 1d, of one second to 366 days.");
    }
  }

  private KeyFunction key(String key, BeanFactory beans) {
    if (key.isBlank()) {
      return KeyFunction.constant(ALL);
    }
    MethodExpression expression = parse("key", key, beans);
    return request -> expression.text(request.unwrap(MethodCall.class));
  }

  private void setCost(WebRule.Builder rule, String cost, BeanFactory beans) {
    if (cost.matches("\\s*-?\\d+\\s*")) {
      try {
        rule.cost(Long.parseLong(cost.strip()));
      } catch (IllegalArgumentException e) {
        throw annotated.invalid(
            "cost", cost, reason(e), "Set a number of at least 1, or an expression.");
      }
    } else {
      MethodExpression expression = parse("cost", cost, beans);
      rule.cost(request -> expression.number(request.unwrap(MethodCall.class)));
    }
  }

  private MethodExpression parse(String attribute, String text, BeanFactory beans) {
    MethodExpression expression = new ExpressionParser(annotated, attribute, text, beans).parse();
    readsPrincipal |= expression.readsPrincipal();
    return expression;
  }

  private static String reason(IllegalArgumentException e) {
    return StringUtils.capitalize(e.getMessage()) + ".";
  }

  Method method() {
    return annotated.method();
  }

  Result result() {
    return result;
  }

  List<WebRule> rules() {
    return List.copyOf(rules);
  }

  /** Whether an expression reads the authenticated user, which reactive calls find elsewhere. */
  boolean readsPrincipal() {
    return readsPrincipal;
  }

  CompletionStage<WebDecision> decide(MethodCall call) {
    WebLimiter current = limiter;
    if (current == null) {
      current = limiters.apply(rules); // two at once are alike: counts are in the RateLimiter
      limiter = current;
    }
    return current.decide(call);
  }

  /**
   * Calls the fallback of the first limit that denies the call.
   *
   * @return the result of the fallback
   * @throws RateLimitedException if that limit has none
   * @throws Throwable what the fallback throws
   */
  @Nullable
  Object denied(MethodCall call, WebDecision decision) throws Throwable {
    RateLimitedException denial = new RateLimitedException(annotated.name(), decision.decisions());
    for (PolicyDecision each : decision.decisions()) {
      if (!each.decision().allowed()) {
        FallbackMethod fallback = fallbacks.get(each.policy());
        if (fallback == null) {
          throw denial;
        }
        return fallback.invoke(call.getTarget(), call.getArgs(), denial);
      }
    }
    throw denial;
  }

  /** Describes method and limits in one line, for logs. */
  @Override
  public String toString() {
    return annotated.annotations().stream()
        .map(limit -> "\"" + limit.name() + "\" to " + limit.limit() + " per " + limit.window()
            + (limit.key().isBlank() ? "" : " for each " + limit.key()))
        .collect(Collectors.joining(", ", annotated.name() + " is limited: ", ""));
  }
}
