package io.tidegate.spring;

import io.tidegate.rules.web.WebRule;

/**
 * A rule with what the starter knows about it.
 *
 * @param rule the rule
 * @param readsPrincipal whether an expression of the rule reads the principal
 * @param description the rule as it is configured
 */
record CompiledRule(WebRule rule, boolean readsPrincipal, RuleDescription description) {}
