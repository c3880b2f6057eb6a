package io.tidegate.server.config;

import io.tidegate.server.log.Escaped;

/** What a message may show of a value: one line that is not too long, without secrets. */
public final class Shown {

  /** Enough to recognize a value by. */
  private static final int MOST_CHARACTERS = 100;

  private static final String HIDDEN = "***";

  private Shown() {}

  /**
   * A URL without user, password and parameters, also if it is malformed:
   * {@code redis://***@host:6379/0}. Several may be separated by commas.
   */
  public static String url(String urls) {
    // Whatever is between the first scheme and the last @ may be part of a password.
    int parameters = firstOf(urls, "?;");
    int at = urls.lastIndexOf('@');
    if (at > parameters && parameters >= 0) {
      return text(scheme(urls) + HIDDEN);
    }
    String end = parameters < 0 ? urls : urls.substring(0, parameters + 1) + HIDDEN;
    return text(at < 0 ? end : scheme(urls) + HIDDEN + end.substring(at));
  }

  /** Text in which nothing ends the line, or is long enough to hide the rest. */
  public static String text(String value) {
    int length = value.codePointCount(0, value.length());
    return length <= MOST_CHARACTERS
        ? Escaped.of(value)
        : Escaped.of(value.substring(0, value.offsetByCodePoints(0, MOST_CHARACTERS))) + "...";
  }

  /** {@code redis://} of a Redis URI, {@code jdbc:mariadb://} of a JDBC URL. */
  private static String scheme(String url) {
    int slashes = url.indexOf("//");
    return slashes >= 0 && slashes < url.indexOf('@')
        ? url.substring(0, slashes + 2)
        : url.substring(0, url.indexOf(':') + 1);
  }

  private static int firstOf(String text, String characters) {
    for (int i = 0; i < text.length(); i++) {
      if (characters.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return -1;
  }
}
