package io.tidegate.server.observe;

/**
 * The hits of a rule since the start of the node.
 *
 * @param rule the name of the rule in metrics
 * @param hits all hits
 * @param within hits within the limit
 * @param near hits within the limit, but above 80 % of it
 * @param over hits beyond the limit
 * @param shadowed hits beyond the limit that shadow mode let through
 */
public record RuleCount(String rule, long hits, long within, long near, long over, long shadowed) {}
