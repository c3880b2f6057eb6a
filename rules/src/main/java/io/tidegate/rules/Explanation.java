package io.tidegate.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link RuleSet} found the rule of a descriptor, or why it found none.
 *
 * @param steps one step for each entry of the descriptor, up to the one that ended the search
 * @param conclusion the result in one sentence
 * @param match the rule that applies; null if none does
 */
public record Explanation(
    List<Step> steps, String conclusion, @Nullable Match match) {

  /** Copies the list. */
  public Explanation {
    steps = List.copyOf(steps);
  }

  /**
   * The search for one entry.
   *
   * @param entry the entry
   * @param reason what it matched, or why it matched nothing
   * @param source file and line of the descriptor that it matched; null if none
   */
  public record Step(Entry entry, String reason, @Nullable String source) {}
}
