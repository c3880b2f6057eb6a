/**
 * The rule files of a node: reading, checking and following them.
 *
 * <p>{@link io.tidegate.server.rules.RuleFiles} reads the YAML files of a directory into a
 * {@link io.tidegate.rules.RuleSet}, and {@link io.tidegate.server.rules.CurrentRules} replaces the
 * set of a running node when the files change. Services ask {@code CurrentRules} for the set of
 * each request; the search in it is in the module {@code rules}.
 *
 * <p>Reading happens at the start and then on one thread of {@code CurrentRules}. A set of rules is
 * immutable, and is replaced as a whole.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.rules;
