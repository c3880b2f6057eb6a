package io.tidegate.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that was meant by one that does not exist. */
public final class Similar {

  /**
   * Two letters that changed places, and one that is missing. More, or more than half of them, and
   * it is another word.
   */
  private static final int MOST_SLIPS = 3;

  private Similar() {}

  /** {@code "; did you mean http-port?"}, or nothing if no name is near enough. */
  public static String suggest(String unknown, Collection<String> names) {
    return nearest(unknown, names).map(Similar::question).orElse("");
  }

  static String question(String name) {
    return "; did you mean " + name + "?";
  }

  static Optional<String> nearest(String unknown, Collection<String> names) {
    int most = Math.min(MOST_SLIPS, unknown.length() / 2);
    return names.stream()
        .min(Comparator.comparingInt(name -> distance(unknown, name)))
        .filter(nearest -> distance(unknown, nearest) <= most);
  }

  /** How many letters have to be added, taken away or changed to get from one to the other. */
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
