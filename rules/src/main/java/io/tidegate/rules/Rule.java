package io.tidegate.rules;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A limit of a rule file.
 *
 * <p>Its counts belong to the workspace {@link #domain} and the namespace {@link #path}.
 *
 * @param domain the domain of the file, which is the workspace of the counts
 * @param path the keys from the top of the file to the rule, with the values that the file names:
 *     {@code generic_key=login,remote_address}. It is the namespace of the counts, has at most 512
 *     characters and is unique within the domain
 * @param name the name of the limit, for headers, {@code replaces} and calls that name a rule;
 *     empty if it has none. Several rules may have the same name
 * @param limit tokens per window; 0 denies everything, and is the value of an unlimited rule
 * @param windowMillis length of the window; 0 for an unlimited rule, which has none
 * @param unlimited whether the rule allows everything and counts nothing
 * @param shadow whether the rule is evaluated and counted, but never denies
 * @param quota whether the rule denies only if all quota rules of a request are over their limits
 * @param record whether an explicit number of hits is charged in full, even beyond the limit
 * @param replaces names of rules that do not apply to a request that this rule applies to
 * @param metadata free data for the caller: strings, {@code Long}, {@code Double}, {@code Boolean},
 *     and lists and maps of these
 * @param source file and line of the rule: {@code edge.yaml:12}
 */
public record Rule(
    String domain,
    String path,
    String name,
    long limit,
    long windowMillis,
    boolean unlimited,
    boolean shadow,
    boolean quota,
    boolean record,
    Set<String> replaces,
    Map<String, Object> metadata,
    String source) {

  /** Copies the collections. */
  public Rule {
    replaces = Set.copyOf(replaces);
    metadata =
        Collections.unmodifiableMap(new LinkedHashMap<>(metadata)); // in the order of the file
  }

  /** Whether both rules allow the same number of tokens in the same window. */
  boolean hasSameLimit(Rule other) {
    return limit == other.limit
        && windowMillis == other.windowMillis
        && unlimited == other.unlimited;
  }
}
