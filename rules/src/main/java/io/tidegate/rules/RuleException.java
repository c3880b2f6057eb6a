package io.tidegate.rules;

import java.util.List;
import java.util.stream.Collectors;

/** Rejects rule files, with all their errors. */
public final class RuleException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Bounds the length of a log line: a wrong indentation can cause thousands of errors. */
  private static final int MAX_SHOWN = 100;

  private final transient List<RuleError> errors;

  /**
   * Creates the exception of these errors.
   *
   * @param errors at least one error, in the order of files and lines
   */
  public RuleException(List<RuleError> errors) {
    super(message(errors));
    this.errors = List.copyOf(errors);
  }

  /**
   * All errors, in the order of files and lines.
   *
   * @return at least one error
   */
  public List<RuleError> errors() {
    return errors;
  }

  private static String message(List<RuleError> errors) {
    String shown =
        errors.stream().limit(MAX_SHOWN).map(RuleError::toString).collect(Collectors.joining("\n"));
    return errors.size() <= MAX_SHOWN
        ? shown
        : shown + "\nand " + (errors.size() - MAX_SHOWN) + " more errors";
  }
}
