package io.tidegate.rules;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules of all files, and the search for the one that applies to a descriptor.
 *
 * <pre>{@code
 * RuleSet rules = RuleSet.of(files);
 * Match match = rules.find("edge", List.of(new Entry("remote_address", "1.2.3.4")));
 * }</pre>
 *
 * <p>The search takes the entries of a descriptor one by one, from the top of the domain. Of the
 * descriptors of the current level it selects the one with this key and value, else the first in
 * the order of the file whose wildcard matches the value, else the one with this key and no value;
 * it continues with the descriptors below that one. If there is none, no limit applies. The limit
 * of the descriptor selected for the last entry applies, and no other: limits of descriptors on the
 * way do not.
 *
 * <p>A rule set does not change. A search costs one or two lookups in a hash table for each entry,
 * plus the wildcards of its key, which are tried in turn.
 */
public final class RuleSet {

  /** No rules. */
  public static final RuleSet EMPTY = new RuleSet(Map.of(), List.of(), Map.of());

  private final Map<String, Domain> domains;
  private final List<Rule> rules;

  /** By domain and name, the rules of that name with different limits. */
  private final Map<String, Map<String, List<Rule>>> named;

  /**
   * The descriptors of one domain.
   *
   * @param source file and line of the domain
   */
  record Domain(String source, Descriptors descriptors) {}

  /** Use {@link #of}. The maps must not change any more. */
  RuleSet(
      Map<String, Domain> domains, List<Rule> rules, Map<String, Map<String, List<Rule>>> named) {
    this.domains = domains;
    this.rules = List.copyOf(rules);
    this.named = named;
  }

  /**
   * Checks files and builds the set of their rules.
   *
   * @param files the files, each with a domain of its own
   * @return the rules of all files
   * @throws RuleException if a file has an error, with all errors of all files
   */
  public static RuleSet of(List<RuleFile> files) throws RuleException {
    return RuleSetBuilder.build(files);
  }

  /**
   * Whether a file has this domain.
   *
   * @param domain the domain
   * @return whether the domain is known, with or without rules
   */
  public boolean hasDomain(String domain) {
    return domains.containsKey(domain);
  }

  /**
   * All domains.
   *
   * @return the domains in alphabetical order
   */
  public Set<String> domains() {
    return Collections.unmodifiableSet(new TreeSet<>(domains.keySet()));
  }

  /**
   * Finds the rule that applies to a descriptor.
   *
   * @param domain the domain
   * @param entries the entries of the descriptor, in order
   * @return the rule and its count; null if no limit applies
   */
  public @Nullable Match find(String domain, List<Entry> entries) {
    Domain root = domains.get(domain);
    Descriptors level = root == null ? null : root.descriptors;
    Descriptor found = null;
    for (int i = 0; i < entries.size(); i++) {
      found = level == null ? null : level.find(entries.get(i));
      if (found == null) {
        return null;
      }
      level = found.below();
    }
    return found == null ? null : found.match(entries);
  }

  /**
   * Returns the rule of a name, for callers that name it instead of a descriptor.
   *
   * @param domain the domain
   * @param name the name
   * @return the rule; empty if none has this name. If several have it, with one limit and window,
   *     the first of them
   * @throws IllegalArgumentException if rules of this name have different limits
   */
  public Optional<Rule> named(String domain, String name) {
    List<Rule> found = named.getOrDefault(domain, Map.of()).getOrDefault(name, List.of());
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          "rule name is ambiguous: %s has different limits at %s and %s"
              .formatted(name, found.get(0).source(), found.get(1).source()));
    }
    return found.stream().findFirst();
  }

  /**
   * All rules.
   *
   * @return the rules in the order of the files and their lines
   */
  public List<Rule> rules() {
    return rules;
  }

  /**
   * Finds the rule that applies to a descriptor, and describes the search.
   *
   * @param domain the domain
   * @param entries the entries of the descriptor, in order
   * @return the result of {@link #find} and the steps that lead to it
   */
  public Explanation explain(String domain, List<Entry> entries) {
    Domain root = domains.get(domain);
    if (root == null) {
      return new Explanation(List.of(), "no limit: domain " + domain + " is in no file", null);
    }
    return Explainer.explain(root, entries, find(domain, entries));
  }

  /**
   * Applies {@code replaces} to the matches of one request: a rule whose name another one of them
   * replaces does not apply.
   *
   * @param matches the match of each descriptor of the request; null where no limit applies
   * @return the matches in the same order, with null where a rule is replaced
   */
  public static List<@Nullable Match> withoutReplaced(List<@Nullable Match> matches) {
    Set<String> replaced = Set.of();
    for (Match match : matches) {
      if (match != null && !match.rule().replaces().isEmpty()) {
        replaced = new HashSet<>(replaced);
        replaced.addAll(match.rule().replaces());
      }
    }
    if (replaced.isEmpty()) {
      return matches;
    }
    List<@Nullable Match> left = new ArrayList<>(matches);
    Set<String> names = replaced;
    left.replaceAll(match -> match == null || names.contains(match.rule().name()) ? null : match);
    return left;
  }
}
