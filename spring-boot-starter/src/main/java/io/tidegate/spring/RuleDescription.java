package io.tidegate.spring;

import io.tidegate.rules.web.MissingKey;
import io.tidegate.spring.TidegateProperties.RuleOrder;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is configured, for the log and the actuator endpoint.
 *
 * @param name the name
 * @param path the pattern of paths
 * @param methods the methods; empty if the rule applies to all
 * @param key the expression of the key
 * @param limit tokens per window
 * @param window length of the window, such as {@code 1m}
 * @param cost the number or expression of the cost
 * @param when the expression of the condition; null if the rule always applies
 * @param missingKey what happens without a key
 * @param shadow whether the rule only counts
 * @param order before or after Spring Security
 */
record RuleDescription(
    String name,
    String path,
    Set<String> methods,
    String key,
    long limit,
    String window,
    String cost,
    @Nullable String when,
    MissingKey missingKey,
    boolean shadow,
    RuleOrder order) {

  /** Formats a window in its largest unit without a rest: {@code 90s}, {@code 2h}. */
  static String format(Duration window) {
    long millis = window.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 3_600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3_600 + "h";
  }

  /** Describes the rule in one line: what it limits, by which key, to how much, and when. */
  @Override
  public String toString() {
    return "Rule \"" + name + "\" limits "
        + (methods.isEmpty() ? "" : String.join(",", methods) + " ") + path + " to " + limit
        + " per " + window + " for each " + key
        + (cost.equals("1") ? "" : ", cost " + cost)
        + (when == null ? "" : ", when " + when)
        + (missingKey == MissingKey.SHARED ? "" : ", without a key: " + missingKey)
        + (order == RuleOrder.BEFORE_SECURITY ? ", before security" : ", after security")
        + (shadow ? ", as a shadow rule that denies nothing" : "");
  }
}
