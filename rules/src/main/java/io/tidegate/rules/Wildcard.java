package io.tidegate.rules;

import java.util.Arrays;

/** A text in which each {@code *} stands for any text, also none. */
final class Wildcard {

  private final String prefix;
  private final String[] inner;
  private final String suffix;

  /** Sum of the fixed parts, so that prefix and suffix cannot overlap. */
  private final int minLength;

  /** Creates the wildcard of a text with at least one {@code *}. */
  Wildcard(String text) {
    String[] parts = text.split("\\*", -1);
    this.prefix = parts[0];
    this.suffix = parts[parts.length - 1];
    this.inner = Arrays.stream(parts, 1, parts.length - 1)
        .filter(part -> !part.isEmpty())
        .toArray(String[]::new);
    this.minLength = Arrays.stream(parts).mapToInt(String::length).sum();
  }

  static boolean isIn(String text) {
    return text.indexOf('*') >= 0;
  }

  /** Whether a text matches. Takes the first place for each inner part, which suffices. */
  boolean matches(String text) {
    if (text.length() < minLength || !text.startsWith(prefix) || !text.endsWith(suffix)) {
      return false;
    }
    int from = prefix.length();
    int end = text.length() - suffix.length();
    for (String part : inner) {
      int at = text.indexOf(part, from);
      if (at < 0 || at + part.length() > end) {
        return false;
      }
      from = at + part.length();
    }
    return true;
  }
}
