package io.tidegate.rules.web;

import io.tidegate.model.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Limits that differ by key, such as those of a customer's plan, and change without a restart.
 *
 * <pre>{@code
 * LimitProvider plans = (rule, key) -> premium.contains(key) ? Limit.perMinute(10_000) : null;
 * WebLimiter.builder(limiter).rules(rules).limits(plans).build();
 * }</pre>
 *
 * <p>Counts stay when a limit changes. Only a limit with another window has a count of its own.
 */
@FunctionalInterface
public interface LimitProvider {

  /**
   * Returns the limit of a key. Called for each request with a key, on the thread of the request,
   * so it must not block: read plans from memory.
   *
   * @param rule the name of the rule
   * @param key the key of the request
   * @return null for the limit of the rule
   */
  @Nullable
  Limit limitFor(String rule, String key);
}
