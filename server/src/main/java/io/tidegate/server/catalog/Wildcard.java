package io.tidegate.server.catalog;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern in which {@code *} matches any run of characters, including none. Every other character
 * matches itself. Immutable.
 *
 * <p>Matching takes time proportional to the text for every pattern, because text and pattern come
 * from untrusted clients.
 */
final class Wildcard {

  private static final char STAR = '*';

  private final String prefix;
  private final String suffix;
  private final List<Part> inner;
  private final int literals;
  private final int shortest;

  private Wildcard(String prefix, List<Part> inner, String suffix) {
    this.prefix = prefix;
    this.inner = List.copyOf(inner);
    this.suffix = suffix;
    int chars = prefix.length() + suffix.length();
    int codePoints = codePoints(prefix) + codePoints(suffix);
    for (Part part : inner) {
      chars += part.text.length();
      codePoints += codePoints(part.text);
    }
    this.shortest = chars;
    this.literals = codePoints;
  }

  static boolean isWildcard(String pattern) {
    return pattern.indexOf(STAR) >= 0;
  }

  static Wildcard of(String pattern) {
    int first = pattern.indexOf(STAR);
    int last = pattern.lastIndexOf(STAR);
    if (first < 0) {
      throw new IllegalArgumentException("a wildcard must contain *: " + pattern);
    }
    List<Part> inner = new ArrayList<>();
    for (int from = first + 1; from <= last; ) {
      int star = pattern.indexOf(STAR, from);
      if (star > from) {
        inner.add(new Part(pattern.substring(from, star)));
      }
      from = star + 1;
    }
    return new Wildcard(pattern.substring(0, first), inner, pattern.substring(last + 1));
  }

  /** Number of literal characters: the more, the more specific is the pattern. */
  int literals() {
    return literals;
  }

  /** The literal parts that are not empty, in order. */
  List<String> parts() {
    List<String> parts = new ArrayList<>(inner.size() + 2);
    if (!prefix.isEmpty()) {
      parts.add(prefix);
    }
    inner.forEach(part -> parts.add(part.text));
    if (!suffix.isEmpty()) {
      parts.add(suffix);
    }
    return parts;
  }

  boolean matches(String text) {
    if (text.length() < shortest || !text.startsWith(prefix) || !text.endsWith(suffix)) {
      return false;
    }
    int from = prefix.length();
    int end = text.length() - suffix.length();
    for (Part part : inner) {
      from = part.endIn(text, from, end);
      if (from < 0) {
        return false;
      }
    }
    return true;
  }

  private static int codePoints(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Text between two stars, searched with the algorithm of Knuth, Morris and Pratt. */
  private static final class Part {

    private final String text;

    /**
     * For each length of a prefix: the length of its longest proper prefix that is also its suffix.
     */
    private final short[] borders;

    Part(String text) {
      this.text = text;
      this.borders = new short[text.length() + 1];
      int border = 0;
      for (int length = 2; length <= text.length(); length++) {
        char last = text.charAt(length - 1);
        while (border > 0 && text.charAt(border) != last) {
          border = borders[border];
        }
        if (text.charAt(border) == last) {
          border++;
        }
        borders[length] = (short) border;
      }
    }

    /** The end of its first occurrence; -1 if there is none. */
    int endIn(String searched, int from, int end) {
      int found = 0;
      for (int i = from; i < end; i++) {
        char c = searched.charAt(i);
        while (found > 0 && text.charAt(found) != c) {
          found = borders[found];
        }
        if (text.charAt(found) == c && ++found == text.length()) {
          return i + 1;
        }
      }
      return -1;
    }
  }
}
