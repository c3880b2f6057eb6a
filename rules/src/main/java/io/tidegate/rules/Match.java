package io.tidegate.rules;

import io.tidegate.model.Limit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The rule that applies to a descriptor, and whose count it uses.
 *
 * @param rule the rule
 * @param identifier the identifier of the count, within the workspace and namespace of the rule:
 *     the values of the descriptor that the rule does not name, or {@code all} if it names all. At
 *     most 512 characters
 * @param metric the name under which envoyproxy/ratelimit would count the request:
 *     {@code edge.generic_key_login.remote_address}. It can contain values that clients send, if
 *     the rule asks for them
 */
public record Match(Rule rule, String identifier, String metric) {

  /** Rejects null. */
  public Match {
    Objects.requireNonNull(rule, "rule must not be null");
    Objects.requireNonNull(identifier, "identifier must not be null");
    Objects.requireNonNull(metric, "metric must not be null");
  }

  /**
   * Returns the match of a descriptor that contains its own limit, which then applies instead of
   * any rule. All such limits of a domain count in the namespace {@code descriptor}.
   *
   * @param domain the domain
   * @param entries the entries of the descriptor, in order
   * @param limit the limit in the descriptor
   * @return a match whose rule has no name and no {@linkplain Rule#source source}
   */
  public static Match ofLimitIn(String domain, List<Entry> entries, Limit limit) {
    Rule rule = new Rule(
        domain,
        "descriptor",
        "",
        limit.tokens(),
        limit.windowMillis(),
        false,
        false,
        false,
        true,
        Set.of(),
        Map.of(),
        "");
    return new Match(rule, IdentifierFormat.ofAll(entries), domain + ".descriptor");
  }
}
