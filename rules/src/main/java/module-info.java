/**
 * Which limits apply to a request, and how a decision is shown to HTTP clients.
 *
 * <p>Start at {@link io.tidegate.rules.RuleSet} for rule files, and at
 * {@link io.tidegate.rules.web.WebLimiter} for web applications.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.rules {
  requires transitive io.tidegate.core;

  exports io.tidegate.rules;
  exports io.tidegate.rules.web;
}
