package io.tidegate.spring;

import io.tidegate.model.Bounds;
import io.tidegate.model.Limit;
import io.tidegate.rules.web.WebRule;
import io.tidegate.spring.TidegateProperties.Rule;
import io.tidegate.spring.TidegateProperties.RuleOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the rules of the properties. Everything that would make a rule limit nothing, or not
 * what its author wrote, is a {@link TidegateConfigurationException}.
 */
final class RuleCompiler {

  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

  private final ExpressionScope scope;

  private RuleCompiler(ExpressionScope scope) {
    this.scope = scope;
  }

  /**
   * Compiles all rules.
   *
   * @throws TidegateConfigurationException for the first property that is wrong
   */
  static CompiledRules compile(List<Rule> rules, ExpressionScope scope) {
    RuleCompiler compiler = new RuleCompiler(scope);
    Map<String, String> properties = new LinkedHashMap<>(); // of names
    List<CompiledRule> compiled = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      String property = TidegateProperties.PREFIX + ".rules[" + i + "]";
      CompiledRule rule = compiler.compile(property, rules.get(i));
      String other = properties.putIfAbsent(rule.rule().name(), property);
      if (other != null) {
        throw new TidegateConfigurationException(
            property + ".name",
            rule.rule().name(),
            "The name is also that of " + other + "; both would share their counts.",
            "Give each rule its own name.");
      }
      compiled.add(rule);
    }
    return new CompiledRules(List.copyOf(compiled));
  }

  private CompiledRule compile(String property, Rule rule) {
    String name = name(property + ".name", rule.name());
    WebRule.Builder builder = WebRule.named(name);
    path(property + ".path", rule.path(), builder);
    methods(property + ".methods", rule.methods(), builder);
    Duration window = window(property + ".window", rule.window());
    long tokens = tokens(property + ".limit", rule.limit());
    builder.limit(Limit.of(tokens, window)).missingKey(rule.missingKey());
    boolean readsPrincipal = key(property + ".key", rule.key(), builder);
    readsPrincipal |= cost(property + ".cost", rule.cost(), builder);
    readsPrincipal |= condition(property + ".when", rule.when(), builder);
    if (rule.shadow()) {
      builder.shadow();
    }
    RuleOrder order = order(property + ".order", rule.order(), readsPrincipal);
    WebRule built = builder.build();
    return new CompiledRule(
        built,
        readsPrincipal,
        new RuleDescription(
            name,
            built.path(),
            built.methods(),
            rule.key() == null ? "clientAddress" : rule.key(),
            tokens,
            RuleDescription.format(window),
            rule.cost(),
            rule.when(),
            rule.missingKey(),
            rule.shadow(),
            order));
  }

  private static String name(String property, @Nullable String name) {
    String action = "Set a short name, such as login, for counts, headers and metrics.";
    if (name == null || name.isBlank()) {
      throw new TidegateConfigurationException(property, name, "A rule needs a name.", action);
    }
    try {
      return Bounds.checkName("name", name);
    } catch (IllegalArgumentException e) {
      throw invalid(property, name, e, action);
    }
  }

  private static void path(String property, String path, WebRule.Builder builder) {
    try {
      builder.path(path);
    } catch (IllegalArgumentException e) {
      throw invalid(
          property, path, e, "Write a pattern such as /api/**, /users/{id} or /files/*.pdf.");
    }
  }

  private static void methods(
      String property, @Nullable List<String> methods, WebRule.Builder builder) {
    if (methods == null) {
      return;
    }
    try {
      builder.methods(
          methods.stream().map(method -> method.toUpperCase(Locale.ROOT)).toList());
    } catch (IllegalArgumentException e) {
      throw invalid(
          property,
          String.join(",", methods),
          e,
          "List HTTP methods such as GET, POST, or remove the property for all methods.");
    }
  }

  private static long tokens(String property, @Nullable Long limit) {
    if (limit == null) {
      throw new TidegateConfigurationException(
          property,
          null,
          "A rule needs a limit.",
          "Set the number of tokens per window, such as 100.");
    }
    try {
      return Bounds.checkTokens("limit", limit);
    } catch (IllegalArgumentException e) {
      throw invalid(property, limit.toString(), e, "Set another number of tokens per window.");
    }
  }

  private static Duration window(String property, @Nullable Duration window) {
    String action = "Set a duration with a unit, from 1s to 366d, such as 1m.";
    if (window == null) {
      throw new TidegateConfigurationException(property, null, "A rule needs a window.", action);
    }
    try {
      Bounds.checkWindow(window);
      return window;
    } catch (IllegalArgumentException e) {
      throw invalid(
          property, window.toString(), e, action + " A number without a unit counts milliseconds.");
    }
  }

  /** Returns whether the key reads the principal. */
  private boolean key(String property, @Nullable String key, WebRule.Builder builder) {
    if (key == null) {
      builder.key(scope.address());
      return false;
    }
    RequestExpression expression = parse(
        property,
        key,
        "Correct the expression, or remove the property for the address of the client.");
    Object constant = expression.isConstant() ? expression.constant() : "unknown";
    if (constant == null || constant.toString().isBlank()) {
      throw new TidegateConfigurationException(
          property,
          key,
          "No request would have a key.",
          "Use a constant such as 'all' for one common count.");
    }
    builder.key(expression::text);
    return expression.readsPrincipal();
  }

  /** Returns whether the cost reads the principal. */
  private boolean cost(String property, String cost, WebRule.Builder builder) {
    String action = "Set a number from 1, or an expression whose value is one.";
    try {
      if (NUMBER.matcher(cost.strip()).matches()) {
        builder.cost(Long.parseLong(cost.strip()));
        return false;
      }
    } catch (IllegalArgumentException e) {
      throw invalid(property, cost, e, action);
    }
    RequestExpression expression = parse(property, cost, action);
    if (expression.isConstant()) {
      throw new TidegateConfigurationException(
          property, cost, "The expression is constant and not a whole number.", action);
    }
    if (expression.type() == Boolean.class) {
      throw new TidegateConfigurationException(
          property, cost, "The value is true or false, but must be a number.", action);
    }
    builder.cost(expression::number);
    return expression.readsPrincipal();
  }

  /** Returns whether the condition reads the principal. */
  private boolean condition(String property, @Nullable String when, WebRule.Builder builder) {
    if (when == null) {
      return false;
    }
    String action =
        "Write a condition such as header('X-Internal') == null, or remove the property.";
    RequestExpression expression = parse(property, when, action);
    boolean isBoolean = expression.type() == Boolean.class || expression.type() == Object.class;
    if (!isBoolean) {
      throw new TidegateConfigurationException(
          property,
          when,
          "The value is a " + expression.type().getSimpleName() + ", but must be true or false.",
          action);
    }
    if (expression.isConstant()) {
      throw new TidegateConfigurationException(
          property, when, "The condition is the same for all requests.", action);
    }
    builder.when(expression::test);
    return expression.readsPrincipal();
  }

  private RequestExpression parse(String property, String text, String action) {
    try {
      return RequestExpression.parse(text, scope);
    } catch (IllegalArgumentException e) {
      throw invalid(property, text, e, action);
    }
  }

  private static RuleOrder order(
      String property, @Nullable RuleOrder order, boolean readsPrincipal) {
    if (order == null) {
      return readsPrincipal ? RuleOrder.AFTER_SECURITY : RuleOrder.BEFORE_SECURITY;
    }
    if (order == RuleOrder.BEFORE_SECURITY && readsPrincipal) {
      throw new TidegateConfigurationException(
          property,
          "before-security",
          "The rule reads the principal, which is not known before Spring Security has run.",
          "Remove the property, or use a key that does not depend on the principal.");
    }
    return order;
  }

  /** Completes the message of a check to a sentence. */
  private static TidegateConfigurationException invalid(
      String property, String value, IllegalArgumentException failure, String action) {
    String message = String.valueOf(failure.getMessage());
    String sentence = Character.toUpperCase(message.charAt(0)) + message.substring(1);
    return new TidegateConfigurationException(
        property, value, sentence.matches(".*[.?!]") ? sentence : sentence + ".", action);
  }
}
