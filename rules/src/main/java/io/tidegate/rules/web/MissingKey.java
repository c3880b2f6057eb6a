package io.tidegate.rules.web;

/**
 * What a rule does with a request that has no key:
 * {@code WebRule.named("api").missingKey(MissingKey.DENY)}.
 */
public enum MissingKey {
  /**
   * All requests without a key share one count with the limit of the rule. The default, because
   * clients could otherwise evade a limit by leaving out a header.
   */
  SHARED,

  /** The rule does not apply. */
  SKIP,

  /** The request is denied with status 403, and no rule charges it. */
  DENY
}
