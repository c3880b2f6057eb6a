package io.tidegate.server.config;

import io.tidegate.server.log.Escaped;

/** Values as messages may show them: on one line, of bounded length, without secrets. */
public final class SafeText {

  /** Enough to recognize a value. */
  private static final int MAX_CHARACTERS = 100;

  private static final String HIDDEN = "***";

  private SafeText() {}

  /**
   * Returns a URL without user, password and parameters, even if it is malformed:
   * {@code redis://***@host:6379/0}. It may be a list that is separated by commas.
   */
  public static String url(String urls) {
    // Everything between the first scheme and the last @ may be part of a password.
    int parameters = firstOf(urls, "?;");
    int at = urls.lastIndexOf('@');
    if (at > parameters && parameters >= 0) {
      return text(scheme(urls) + HIDDEN);
    }
    String end = parameters < 0 ? urls : urls.substring(0, parameters + 1) + HIDDEN;
    return text(at < 0 ? end : scheme(urls) + HIDDEN + end.substring(at));
  }

  /** Returns text escaped and shortened, so that it neither ends the line nor hides the rest. */
  public static String text(String value) {
    int length = value.codePointCount(0, value.length());
    return length <= MAX_CHARACTERS
        ? Escaped.of(value)
        : Escaped.of(value.substring(0, value.offsetByCodePoints(0, MAX_CHARACTERS))) + "...";
  }

  /** The part before the host: {@code redis://}, {@code jdbc:mariadb://}. */
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
