package io.tidegate.testkit;

import java.util.List;

/** Names for tests of what stores names. */
public final class Texts {

  /** Names that differ, though some databases compare some of them as equal. */
  public static final List<String> DIFFERENT = List.of(
      "user",
      "User",
      "USER",
      "user ",
      " user",
      "usér",
      "use\u0301r",
      "user\u0000",
      "user\n",
      "ß",
      "ss",
      "ﬁ",
      "fi",
      "日本",
      "にほん",
      "😀",
      "😁",
      "юзер",
      "\u202euser",
      "'",
      "\\",
      "\\'",
      "\"",
      "%",
      "_",
      "?",
      "user\t",
      "\ufeffuser",
      "i",
      "ı",
      "İ",
      "Ⅷ",
      "à",
      "a\u0300");

  private Texts() {}
}
