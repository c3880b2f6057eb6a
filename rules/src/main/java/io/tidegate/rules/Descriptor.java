package io.tidegate.rules;

import io.tidegate.rules.RuleNode.Option;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A descriptor of a file, with all that a search needs computed in advance. */
final class Descriptor {

  private final @Nullable Descriptor above;
  private final RuleNode node;
  private final String source;
  private final String path;
  private final @Nullable Wildcard wildcard;
  private final IdentifierFormat identifier;

  /** Set by the builder when it has checked the limit; null if the descriptor has none. */
  private @Nullable Rule rule;

  /** Set together with {@link #rule}. */
  private @Nullable MetricFormat metric;

  /** Set by the builder; null if there are none. */
  private @Nullable Descriptors below;

  /**
   * Creates a descriptor without a rule and without descriptors below it.
   *
   * @param above the descriptor above; null at the top of the file
   * @param source file and line
   */
  Descriptor(@Nullable Descriptor above, RuleNode node, String source) {
    this.above = above;
    this.node = node;
    this.source = source;
    this.path = (above == null ? "" : above.path + ",") + pathSegment(node);
    this.wildcard = Wildcard.isIn(node.value()) ? new Wildcard(node.value()) : null;
    this.identifier = IdentifierFormat.of(fromTop());
  }

  private static String pathSegment(RuleNode node) {
    String key = escape(node.key());
    return node.value().isEmpty() ? key : key + "=" + escape(node.value());
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
  }

  void setRule(Rule rule) {
    this.rule = rule;
    this.metric =
        MetricFormat.of(rule.domain(), fromTop(), node.options().contains(Option.DETAILED_METRIC));
  }

  void setBelow(Descriptors below) {
    this.below = below;
  }

  /** The match of a descriptor whose last entry is this one; null if this one has no rule. */
  @Nullable
  Match match(List<Entry> entries) {
    return rule == null || metric == null
        ? null
        : new Match(rule, identifier.format(entries), metric.format(entries));
  }

  /** The descriptors from the top of the file to this one. */
  private List<Descriptor> fromTop() {
    Deque<Descriptor> chain = new ArrayDeque<>();
    for (Descriptor each = this; each != null; each = each.above) {
      chain.addFirst(each);
    }
    return List.copyOf(chain);
  }

  String key() {
    return node.key();
  }

  /** The value as it is written in the file; empty for all values. */
  String value() {
    return node.value();
  }

  String source() {
    return source;
  }

  /** The keys and values from the top of the file to this descriptor. */
  String path() {
    return path;
  }

  boolean matchesAnyValue() {
    return node.value().isEmpty();
  }

  boolean isWildcard() {
    return wildcard != null;
  }

  boolean matchesWildcard(String value) {
    return wildcard != null && wildcard.matches(value);
  }

  /**
   * Whether all requests that match here have one count, because of an exact value or by option.
   */
  boolean namesValue() {
    return !matchesAnyValue() && (!isWildcard() || sharesThreshold());
  }

  boolean sharesThreshold() {
    return node.options().contains(Option.SHARE_THRESHOLD);
  }

  boolean showsValueInMetric() {
    return node.options().contains(Option.VALUE_TO_METRIC);
  }

  boolean hasRule() {
    return rule != null;
  }

  @Nullable
  Descriptors below() {
    return below;
  }
}
