/**
 * Rules: which limits apply to a request that is described by keys and values.
 *
 * <p>A {@link io.tidegate.rules.RuleSet} is built from parsed files
 * ({@link io.tidegate.rules.RuleFile}), finds the rule of a descriptor, and explains the search.
 * The names and the order of the search are those of envoyproxy/ratelimit.
 *
 * <p>All types are immutable and may be used by any thread. Nothing here reads files, the time or
 * the network, and nothing here decides: a {@link io.tidegate.rules.Match} has all that a request
 * to the limiter needs.
 *
 * <p>{@link io.tidegate.rules.DecisionHeaders} and {@link io.tidegate.rules.ProblemBody} show
 * decisions to HTTP clients. They are pure functions of decisions and the names of their limits.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.rules;
