package io.tidegate.spring;

import io.tidegate.rules.web.WebLimiter;
import io.tidegate.spring.TidegateProperties.RuleOrder;
import java.util.List;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The rules of an application, in the order of the properties.
 *
 * @param rules may be empty
 */
record CompiledRules(List<CompiledRule> rules) {

  private static final Log LOG = LogFactory.getLog(CompiledRules.class);

  /**
   * Compiles the rules of the properties, and writes one line for each to the log.
   *
   * @return no rules if Tidegate is disabled
   * @throws TidegateConfigurationException if a rule is wrong
   */
  static CompiledRules compile(TidegateProperties properties, ExpressionScope scope) {
    if (!properties.enabled()) {
      LOG.info("tidegate.enabled is false: no request is limited.");
      return new CompiledRules(List.of());
    }
    CompiledRules compiled = RuleCompiler.compile(properties.rules(), scope);
    if (compiled.rules.isEmpty()) {
      LOG.info("There are no tidegate.rules: no request is limited by a rule.");
    }
    compiled.rules.forEach(rule -> LOG.info(rule.description() + "."));
    return compiled;
  }

  /** Whether a rule of this order reads the principal. */
  boolean readPrincipal(RuleOrder order) {
    return of(order).stream().anyMatch(CompiledRule::readsPrincipal);
  }

  /** Creates the limiter for the rules of one order; empty if there are none. */
  Optional<WebLimiter> limiter(RuleOrder order, WebLimiterSettings settings) {
    List<CompiledRule> chosen = of(order);
    return chosen.isEmpty() ? Optional.empty() : Optional.of(settings.limiter(chosen));
  }

  private List<CompiledRule> of(RuleOrder order) {
    return rules.stream().filter(rule -> rule.description().order() == order).toList();
  }

  List<RuleDescription> descriptions() {
    return rules.stream().map(CompiledRule::description).toList();
  }
}
