package io.tidegate.rules.web;

import java.util.regex.Pattern;

/** Checks for names that are tokens of RFC 9110: headers and cookies. */
final class Tokens {

  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private Tokens() {}

  static String check(String name, String value) {
    if (!TOKEN.matcher(value).matches()) {
      throw new IllegalArgumentException(name + " is not valid in HTTP: \"" + value + "\"");
    }
    return value;
  }
}
