package io.tidegate.rules.web;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks the methods of a rule. */
final class HttpMethods {

  private static final List<String> KNOWN =
      List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT");

  /** Two typing errors, such as a swapped pair of letters. More would suggest unrelated words. */
  private static final int NEAR = 2;

  private HttpMethods() {}

  /** Returns the methods; with GET also HEAD, which servers answer by the same handlers. */
  static Set<String> check(Collection<String> methods) {
    if (methods.isEmpty()) {
      throw new IllegalArgumentException("methods must not be empty: leave them out to limit all");
    }
    Set<String> checked = new LinkedHashSet<>();
    for (String method : methods) {
      if (!KNOWN.contains(method)) {
        throw new IllegalArgumentException("unknown method \"" + method + "\"" + hint(method));
      }
      checked.add(method);
    }
    if (checked.contains("GET")) {
      checked.add("HEAD");
    }
    return checked;
  }

  private static String hint(String method) {
    String upper = method.strip().toUpperCase(Locale.ROOT);
    String nearest =
        Collections.min(KNOWN, Comparator.comparingInt(known -> distance(upper, known)));
    return distance(upper, nearest) <= NEAR
        ? ": did you mean " + nearest + "?"
        : ": must be one of " + String.join(", ", KNOWN);
  }

  /** The Levenshtein distance. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int substituted = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
