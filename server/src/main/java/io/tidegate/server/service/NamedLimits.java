package io.tidegate.server.service;

import io.tidegate.model.Bounds;
import io.tidegate.rules.Rule;
import io.tidegate.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the limits that entries ask for: the ones they contain, or those of the rules that they
 * name. Never waits. Safe for use by many threads.
 */
final class NamedLimits {

  private final Supplier<RuleSet> rules;

  /** Creates a lookup in the rules that are current when a request is decided. */
  NamedLimits(Supplier<RuleSet> rules) {
    this.rules = rules;
  }

  /** The entries of an admitted request, with their limits. */
  record Limited(Admitted admitted, List<LimitedEntry> entries) {}

  /** All entries of a request use the same set of rules. */
  Step<Limited> find(Admitted admitted, List<LimitEntry> entries) {
    String domain = admitted.caller().workspace().id();
    RuleSet current = rules.get();
    List<LimitedEntry> limited = new ArrayList<>(entries.size());
    for (LimitEntry entry : entries) {
      if (entry.limit() instanceof EntryLimit.Sent sent) {
        limited.add(new LimitedEntry(entry, sent.limit(), sent.durationMillis(), false));
        continue;
      }
      String name = ((EntryLimit.Named) entry.limit()).rule();
      Optional<Rule> rule;
      try {
        rule = current.named(domain, name);
      } catch (IllegalArgumentException e) { // several rules have the name
        return admitted.refuse(new Refusal.AmbiguousRule(name, domain));
      }
      if (rule.isEmpty()) {
        return admitted.refuse(new Refusal.UnknownRule(name, domain));
      }
      limited.add(limited(entry, rule.get()));
    }
    return admitted.succeed(new Limited(admitted, limited));
  }

  /** An unlimited rule counts per second, where the highest limit is out of reach. */
  private static LimitedEntry limited(LimitEntry entry, Rule rule) {
    return rule.unlimited()
        ? new LimitedEntry(entry, Bounds.MAX_TOKENS, Bounds.MIN_WINDOW_MILLIS, true)
        : new LimitedEntry(entry, rule.limit(), rule.windowMillis(), rule.shadow());
  }
}
