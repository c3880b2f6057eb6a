package io.tidegate.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names under which envoyproxy/ratelimit counts the requests of a rule: the domain and, for
 * each entry, a dot, the key, and {@code _} with a value that the file names or asks for.
 */
final class MetricFormat {

  /** The text before the value of each entry, and which entries add their value to it. */
  private final String[] texts;

  private final boolean[] values;

  /** The whole name, if it contains no value of a request. */
  private final @Nullable String constant;

  private MetricFormat(String[] texts, boolean[] values, @Nullable String constant) {
    this.texts = texts;
    this.values = values;
    this.constant = constant;
  }

  /**
   * Creates the format of a rule.
   *
   * @param fromTop the descriptors from the top of the file to the one of the rule
   * @param detailed whether the name contains the values of all entries
   */
  static MetricFormat of(String domain, List<Descriptor> fromTop, boolean detailed) {
    String[] texts = new String[fromTop.size()];
    boolean[] values = new boolean[texts.length];
    boolean constant = true;
    for (int i = 0; i < texts.length; i++) {
      Descriptor descriptor = fromTop.get(i);
      values[i] = !descriptor.namesValue() && (detailed || descriptor.showsValueInMetric());
      constant &= !values[i];
      texts[i] = (i == 0 ? domain : "") + "." + descriptor.key()
          + (values[i] || descriptor.matchesAnyValue() ? "" : "_" + descriptor.value());
    }
    return new MetricFormat(texts, values, constant ? String.join("", texts) : null);
  }

  String format(List<Entry> entries) {
    if (constant != null) {
      return constant;
    }
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < texts.length; i++) {
      name.append(texts[i]);
      if (values[i] && !entries.get(i).value().isEmpty()) {
        name.append('_').append(entries.get(i).value());
      }
    }
    return name.toString();
  }
}
