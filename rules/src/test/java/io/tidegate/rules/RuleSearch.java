package io.tidegate.rules;

import io.tidegate.rules.RuleNode.Option;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The search of a rule set, written as its description reads: lists, loops and regular expressions.
 */
final class RuleSearch {

  /** The descriptors selected for the entries, from the top; empty if one of them has none. */
  private final List<RuleNode> selected = new ArrayList<>();

  private final String domain;
  private final List<Entry> entries;

  RuleSearch(RuleFile file, List<Entry> entries) {
    this.domain = file.domain();
    this.entries = entries;
    List<RuleNode> level = file.descriptors();
    for (Entry entry : entries) {
      RuleNode found = select(level, entry);
      if (found == null) {
        selected.clear();
        return;
      }
      selected.add(found);
      level = found.descriptors();
    }
  }

  private static RuleNode select(List<RuleNode> level, Entry entry) {
    List<RuleNode> ofKey =
        level.stream().filter(node -> node.key().equals(entry.key())).toList();
    for (RuleNode node : ofKey) {
      if (!node.value().isEmpty() && node.value().equals(entry.value())) {
        return node;
      }
    }
    for (RuleNode node : ofKey) {
      if (node.value().contains("*") && matches(node.value(), entry.value())) {
        return node;
      }
    }
    return ofKey.stream().filter(node -> node.value().isEmpty()).findFirst().orElse(null);
  }

  static boolean matches(String wildcard, String value) {
    String pattern = Pattern.compile("\\*")
        .splitAsStream(wildcard + " ") // the space keeps a trailing part
        .map(Pattern::quote)
        .collect(Collectors.joining(".*"));
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(value + " ").matches();
  }

  /** The descriptor whose limit applies; null if there is none. */
  RuleNode rule() {
    RuleNode last = selected.isEmpty() ? null : selected.get(selected.size() - 1);
    return last == null || last.limit() == null ? null : last;
  }

  /**
   * What the count belongs to: all entries, with the wildcard for a value that shares its limit.
   */
  List<String> identity() {
    List<String> identity = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      RuleNode node = selected.get(i);
      identity.add(entries.get(i).key());
      identity.add(
          node.options().contains(Option.SHARE_THRESHOLD)
              ? node.value()
              : entries.get(i).value());
    }
    return identity;
  }

  String metric() {
    boolean detailed = rule().options().contains(Option.DETAILED_METRIC);
    StringBuilder metric = new StringBuilder(domain);
    for (int i = 0; i < entries.size(); i++) {
      RuleNode node = selected.get(i);
      String value = node.value();
      boolean shown = detailed || node.options().contains(Option.VALUE_TO_METRIC);
      if (shown && !node.options().contains(Option.SHARE_THRESHOLD)) {
        value = entries.get(i).value();
      }
      metric.append('.').append(node.key()).append(value.isEmpty() ? "" : "_" + value);
    }
    return metric.toString();
  }
}
