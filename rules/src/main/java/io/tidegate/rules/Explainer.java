package io.tidegate.rules;

import io.tidegate.rules.Explanation.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Repeats a search step by step, and describes each step. */
final class Explainer {

  private Explainer() {}

  /**
   * Describes a search.
   *
   * @param match the result of the search; null if it found none
   */
  static Explanation explain(RuleSet.Domain domain, List<Entry> entries, @Nullable Match match) {
    List<Step> steps = new ArrayList<>();
    Descriptors level = domain.descriptors();
    Descriptor found = null;
    for (Entry entry : entries) {
      if (level == null) {
        return new Explanation(steps, ended(found), match);
      }
      found = level.find(entry);
      if (found == null) {
        steps.add(new Step(entry, missing(level, entry), null));
        return new Explanation(steps, "no limit: entry " + entry + " matches no descriptor", match);
      }
      steps.add(new Step(entry, reason(found, entry), found.source()));
      level = found.below();
    }
    return new Explanation(steps, conclusion(found, match), match);
  }

  private static String reason(Descriptor found, Entry entry) {
    if (found.matchesAnyValue()) {
      return "no descriptor for this value; the one for all values of " + found.key();
    }
    if (found.value().equals(entry.value())) {
      return "the descriptor for this value";
    }
    return "no descriptor for this value; the first wildcard in file order that matches is "
        + found.value()
        + (found.sharesThreshold() ? ", and all values that match share one count" : "");
  }

  private static String missing(Descriptors level, Entry entry) {
    return level.hasKey(entry.key())
        ? "no descriptor for this value, no wildcard matches it, and none is for all values of "
            + entry.key()
        : "no descriptor with the key " + entry.key() + " at this level";
  }

  /** The result of a search that ran out of descriptors before it ran out of entries. */
  private static String ended(@Nullable Descriptor last) {
    String source = last == null ? "the domain" : last.source();
    return last != null && last.hasRule()
        ? "no limit: the limit at %s is for descriptors that end there, and this one has more entries"
            .formatted(source)
        : "no limit: %s has no descriptors for the next entry".formatted(source);
  }

  private static String conclusion(@Nullable Descriptor last, @Nullable Match match) {
    if (match != null) {
      return "the limit at " + match.rule().source() + " applies";
    }
    if (last == null) {
      return "no limit: the descriptor has no entries";
    }
    return last.below() == null
        ? "no limit: %s has no rate_limit, so it allows everything".formatted(last.source())
        : "no limit: %s has no rate_limit, and this descriptor has no more entries"
            .formatted(last.source());
  }
}
