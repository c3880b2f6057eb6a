package io.tidegate.spring.gateway;

import io.tidegate.model.Bounds;
import io.tidegate.model.Limit;
import io.tidegate.rules.web.WebRule;
import io.tidegate.spring.TidegateConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/** Reads the limit of a route, and rejects what would limit nothing. */
final class RouteArguments {

  private static final String PREFIX = TidegateRateLimiter.CONFIGURATION_PROPERTY_NAME + ".";

  private static final List<String> NAMES = List.of("cost", "limit", "name", "window");

  private final String path;
  private final Map<String, ?> args;

  /**
   * Reads the arguments of a filter.
   *
   * @param path where the arguments are, for messages
   * @param args the arguments, of which those with another prefix are ignored
   */
  RouteArguments(String path, Map<String, ?> args) {
    this.path = path;
    this.args = args;
  }

  /** Whether there is an argument for this limiter. */
  boolean arePresent() {
    return args.keySet().stream().anyMatch(key -> key.startsWith(PREFIX));
  }

  /** Whether a value is known only when the gateway evaluates expressions. */
  boolean haveExpressions() {
    return args.entrySet().stream()
        .anyMatch(arg ->
            arg.getKey().startsWith(PREFIX) && String.valueOf(arg.getValue()).startsWith("#{"));
  }

  /**
   * Returns the limit.
   *
   * @throws TidegateConfigurationException if an argument is unknown, missing or invalid
   */
  RouteLimit read() {
    args.keySet().stream()
        .filter(key -> key.startsWith(PREFIX))
        .filter(key -> !NAMES.contains(key.substring(PREFIX.length())))
        .findFirst()
        .ifPresent(unknown -> {
          throw new TidegateConfigurationException(
              path + "." + unknown,
              String.valueOf(args.get(unknown)),
              "There is no such argument.",
              "Use " + String.join(", ", NAMES) + ".");
        });
    RouteLimit limit = new RouteLimit().setName(value("name"));
    String tokens = value("limit");
    String window = value("window");
    String cost = value("cost");
    if (tokens != null) {
      limit.setLimit(number("limit", tokens));
    }
    if (window != null) {
      limit.setWindow(window(window));
    }
    if (cost != null) {
      limit.setCost(number("cost", cost));
    }
    rule(path, "route", limit);
    return limit;
  }

  private @Nullable String value(String name) {
    Object value = args.get(PREFIX + name);
    return value == null ? null : value.toString().strip();
  }

  private long number(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw invalid(path, name, value, "It is not a whole number.", "Set a number such as 100.");
    }
  }

  private Duration window(String value) {
    try {
      return DurationStyle.detectAndParse(value);
    } catch (IllegalArgumentException e) {
      throw invalid(path, "window", value, "It is not a duration.", WINDOW_ACTION);
    }
  }

  private static final String WINDOW_ACTION =
      "Set a number with a unit, such as 10s, 1m, 1h or 1d, of one second to 366 days.";

  /**
   * Creates the rule of a limit.
   *
   * @param path where the limit was set, for messages
   * @param routeId the name of the rule if the limit has none
   * @throws TidegateConfigurationException if a value is missing or out of range
   */
  static WebRule rule(String path, String routeId, RouteLimit limit) {
    Long tokens = limit.getLimit();
    if (tokens == null) {
      throw new TidegateConfigurationException(
          path + "." + PREFIX + "limit",
          null,
          "The filter RequestRateLimiter has no limit.",
          "Set the number of tokens per window, such as 100.");
    }
    String name = limit.getName() == null ? routeId : limit.getName();
    WebRule.Builder rule;
    try {
      rule = WebRule.named(name);
    } catch (IllegalArgumentException e) {
      throw invalid(path, "name", name, reason(e), "Set a name of 1 to 512 characters.");
    }
    try {
      Bounds.checkWindow(limit.getWindow());
    } catch (IllegalArgumentException e) {
      throw invalid(path, "window", limit.getWindow(), reason(e), WINDOW_ACTION);
    }
    try {
      rule.limit(Limit.of(tokens, limit.getWindow()));
    } catch (IllegalArgumentException e) {
      throw invalid(path, "limit", tokens, reason(e), "Set the number of tokens per window.");
    }
    try {
      rule.cost(limit.getCost());
    } catch (IllegalArgumentException e) {
      throw invalid(path, "cost", limit.getCost(), reason(e), "Set a number of at least 1.");
    }
    return rule.key(request -> request.unwrap(RouteRequest.class).key()).build();
  }

  private static TidegateConfigurationException invalid(
      String path, String name, Object value, String reason, String action) {
    return new TidegateConfigurationException(
        path + "." + PREFIX + name, value.toString(), reason, action);
  }

  private static String reason(IllegalArgumentException e) {
    return StringUtils.capitalize(e.getMessage()) + ".";
  }
}
