package io.tidegate.rules;

/**
 * A mistake in a rule file.
 *
 * @param file the name of the file
 * @param line the line, from 1; 0 if the mistake concerns the whole file
 * @param message what is wrong, with the value
 */
public record RuleError(String file, int line, String message) {

  /** File, line and message: {@code edge.yaml:12: descriptor has no key}. */
  @Override
  public String toString() {
    return source(file, line) + ": " + message;
  }

  /** File and line as messages show them. */
  static String source(String file, int line) {
    return line == 0 ? file : file + ":" + line;
  }
}
