package io.tidegate.testing.contract;

import java.util.List;

/** Names that stores tend to confuse: with case, accents, blanks, quotes and surrogates. */
public final class TrickyNames {

  /** Names that all differ, although some databases compare some of them as equal. */
  public static final List<String> DISTINCT = List.of(
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

  private TrickyNames() {}
}
