package io.tidegate.server;

import io.tidegate.rules.RuleError;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.observe.RuleHealth;
import io.tidegate.server.rules.CurrentRules;

/** Reports loads of the rule files to {@link RuleHealth}. */
final class RuleLoads implements CurrentRules.Listener {

  private final RuleHealth health;

  RuleLoads(RuleHealth health) {
    this.health = health;
  }

  @Override
  public void loaded(RuleSet rules) {
    health.loaded(rules.domains().size(), rules.rules().size());
  }

  @Override
  public void rejected(RuleException errors) {
    health.rejected(errors.errors().stream().map(RuleError::toString).toList());
  }
}
