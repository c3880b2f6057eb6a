package io.tidegate.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the known name that is most similar to an unknown one. */
public final class Similar {

  /**
   * Maximum edit distance of a suggestion: two swapped letters are two edits, a missing one is a
   * third. Names that differ more, or in more than half of their letters, are different words.
   */
  private static final int MAX_DISTANCE = 3;

  private Similar() {}

  /** Returns {@code "; did you mean http-port?"}, or an empty text if no name is similar. */
  public static String suggest(String unknown, Collection<String> names) {
    return nearest(unknown, names).map(Similar::question).orElse("");
  }

  static String question(String name) {
    return "; did you mean " + name + "?";
  }

  static Optional<String> nearest(String unknown, Collection<String> names) {
    int maxDistance = Math.min(MAX_DISTANCE, unknown.length() / 2);
    return names.stream()
        .min(Comparator.comparingInt(name -> distance(unknown, name)))
        .filter(nearest -> distance(unknown, nearest) <= maxDistance);
  }

  /** The Levenshtein distance. */
  private static int distance(String from, String to) {
    int[] last = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] next = new int[to.length() + 1];
      next[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        next[j] = Math.min(changed, Math.min(last[j], next[j - 1]) + 1);
      }
      last = next;
    }
    return last[to.length()];
  }
}
