package io.tidegate.server.command;

import io.tidegate.server.config.Durations;

/** Values of options, with errors that name the option and the value. */
final class OptionValue {

  private OptionValue() {}

  /**
   * Parses a whole number: {@code OptionValue.number("--limit", "50", 1, 10_000)}.
   *
   * @throws IllegalArgumentException if the text is not a number or out of range
   */
  static long number(String option, String text, long min, long max) {
    if (text.matches("[0-9]{1,18}")) {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        option + " must be a whole number from " + min + " to " + max + ": " + text);
  }

  /**
   * Parses a duration: {@code OptionValue.millis("--since", "2d")}.
   *
   * @throws IllegalArgumentException if the text is not a duration
   */
  static long millis(String option, String text) {
    try {
      return Durations.parse(text).toMillis();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + " " + e.getMessage() + ": " + text, e);
    }
  }
}
