package io.tidegate.rules;

import java.util.List;

/**
 * The parsed content of a rule file, not checked yet.
 *
 * @param name the name of the file, for messages
 * @param line the line of the domain, from 1; 0 if unknown
 * @param domain the domain of all rules of the file; empty if the file has none
 * @param descriptors the descriptors at the top of the file, in its order
 * @param errors mistakes that were found while the file was parsed. A {@link RuleSet} reports them
 *     together with its own
 */
public record RuleFile(
    String name, int line, String domain, List<RuleNode> descriptors, List<RuleError> errors) {

  /** Copies the lists. */
  public RuleFile {
    descriptors = List.copyOf(descriptors);
    errors = List.copyOf(errors);
  }

  /**
   * Creates a file without errors: {@code RuleFile.of("edge.yaml", "edge", descriptors)}.
   *
   * @param name the name of the file, for messages
   * @param domain the domain of all rules of the file
   * @param descriptors the descriptors at the top of the file
   * @return the file
   */
  public static RuleFile of(String name, String domain, List<RuleNode> descriptors) {
    return new RuleFile(name, 1, domain, descriptors, List.of());
  }

  /**
   * Creates a file that could not be parsed.
   *
   * @param name the name of the file, for messages
   * @param error why it could not be parsed
   * @return the file
   */
  public static RuleFile unreadable(String name, RuleError error) {
    return new RuleFile(name, 0, "", List.of(), List.of(error));
  }
}
