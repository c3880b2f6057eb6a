package io.tidegate.rules.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A pattern for the paths of requests, such as <code>/users/{id}/files/**</code>.
 *
 * <p>A pattern consists of segments. In a segment, {@code *} stands for any characters, also none;
 * a segment <code>{name}</code> or {@code *} stands for any segment; {@code **} as the last segment
 * stands for any number of segments, also none. Everything else stands for itself; case matters.
 *
 * <p>Empty segments of a path are ignored, so {@code /users/} and {@code //users} match
 * {@code /users}: most servers answer them alike, and a client must not evade a limit with a slash.
 */
final class PathPattern {

  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");

  private static final String ANY = "*";
  private static final String ANY_REST = "**";

  private final String text;

  /** {@link #ANY}, a text with {@code *}, or a text that stands for itself. */
  private final String[] segments;

  private final boolean[] wild;
  private final boolean anyRest;

  private PathPattern(String text, List<String> segments, boolean anyRest) {
    this.text = text;
    this.segments = segments.toArray(String[]::new);
    this.anyRest = anyRest;
    this.wild = new boolean[this.segments.length];
    for (int i = 0; i < wild.length; i++) {
      wild[i] = this.segments[i].contains(ANY);
    }
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it can never match, with the pattern and the reason
   */
  static PathPattern parse(String text) {
    if (!Objects.requireNonNull(text, "path must not be null").startsWith("/")) {
      throw invalid(text, "must start with /");
    }
    if (text.indexOf('?') >= 0 || text.indexOf('#') >= 0) {
      throw invalid(text, "must not have ? or #: only the path of a request is matched");
    }
    if (ENCODED.matcher(text).find()) {
      throw invalid(text, "must not be percent-encoded: paths are decoded before they are matched");
    }
    String[] parts = text.substring(1).split("/", -1);
    int count = parts[parts.length - 1].isEmpty() ? parts.length - 1 : parts.length;
    boolean anyRest = count > 0 && parts[count - 1].equals(ANY_REST);
    List<String> segments = new ArrayList<>();
    for (int i = 0; i < (anyRest ? count - 1 : count); i++) {
      segments.add(segment(text, parts[i]));
    }
    return new PathPattern(text, segments, anyRest);
  }

  private static String segment(String text, String segment) {
    if (segment.isEmpty()) {
      throw invalid(text, "must not have an empty segment");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw invalid(text, "must not have the segment " + segment);
    }
    if (segment.contains(ANY_REST)) {
      throw invalid(text, "may have ** only as its last segment");
    }
    return segment.indexOf('{') < 0 && segment.indexOf('}') < 0 ? segment : variable(text, segment);
  }

  private static String variable(String text, String segment) {
    int end = segment.length() - 1;
    if (segment.indexOf('{') != segment.lastIndexOf('{')
        || segment.indexOf('}') != segment.lastIndexOf('}')
        || segment.indexOf('{') > segment.indexOf('}')
        || segment.indexOf('{') < 0) {
      throw invalid(text, "has unbalanced braces in " + segment);
    }
    if (segment.charAt(0) != '{' || segment.charAt(end) != '}') {
      throw invalid(text, "may have braces only around a whole segment; use * within " + segment);
    }
    String name = segment.substring(1, end);
    if (name.isEmpty() || !name.chars().allMatch(Character::isJavaIdentifierPart)) {
      throw invalid(
          text, "must have a plain name in braces, without regular expressions: " + segment);
    }
    return ANY;
  }

  private static IllegalArgumentException invalid(String text, String reason) {
    return new IllegalArgumentException("path \"" + text + "\" " + reason);
  }

  /** Whether a decoded path matches. Allocates nothing. */
  boolean matches(String path) {
    int end = path.length();
    int segment = 0;
    for (int at = skipSlashes(path, 0); at < end; at = skipSlashes(path, at)) {
      if (segment == segments.length) {
        return anyRest;
      }
      int next = path.indexOf('/', at);
      next = next < 0 ? end : next;
      if (!matches(segment, path, at, next)) {
        return false;
      }
      segment++;
      at = next;
    }
    return segment == segments.length;
  }

  private static int skipSlashes(String path, int from) {
    int at = from;
    while (at < path.length() && path.charAt(at) == '/') {
      at++;
    }
    return at;
  }

  private boolean matches(int segment, String path, int from, int to) {
    String expected = segments[segment];
    return wild[segment]
        ? matchesWildcard(expected, path, from, to)
        : to - from == expected.length() && path.startsWith(expected, from);
  }

  /** Lets the last {@code *} take one more character whenever what follows it does not match. */
  private static boolean matchesWildcard(String expected, String path, int from, int to) {
    int at = from;
    int i = 0;
    int star = -1;
    int resume = from;
    while (at < to) {
      if (i < expected.length() && expected.charAt(i) == '*') {
        star = i++;
        resume = at;
      } else if (i < expected.length() && expected.charAt(i) == path.charAt(at)) {
        i++;
        at++;
      } else if (star >= 0) {
        i = star + 1;
        at = ++resume;
      } else {
        return false;
      }
    }
    while (i < expected.length() && expected.charAt(i) == '*') {
      i++;
    }
    return i == expected.length();
  }

  @Override
  public String toString() {
    return text;
  }
}
