package io.tidegate.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit as it is written in a rule file, not checked yet.
 *
 * @param line the line in the file, from 1; 0 if unknown
 * @param requestsPerUnit tokens per unit or window; null if not given
 * @param unit the unit: second, minute, hour, day, week, month (30 days) or year (365 days), in
 *     lower or upper case; empty if not given
 * @param window the length of the window, instead of a unit: {@code 10m}; empty if not given
 * @param unlimited whether everything is allowed
 * @param name the name of the limit; empty for none
 * @param replaces names of limits that do not apply where this one does
 */
public record RuleLimit(
    int line,
    @Nullable Long requestsPerUnit,
    String unit,
    String window,
    boolean unlimited,
    String name,
    List<String> replaces) {

  /** Copies the list. */
  public RuleLimit {
    replaces = List.copyOf(replaces);
  }

  /**
   * Creates a limit without a name: {@code RuleLimit.of(5, "minute")}.
   *
   * @param requestsPerUnit tokens per unit
   * @param unit the unit
   * @return the limit
   */
  public static RuleLimit of(long requestsPerUnit, String unit) {
    return new RuleLimit(0, requestsPerUnit, unit, "", false, "", List.of());
  }

  /**
   * Creates a limit that allows everything.
   *
   * @return the limit
   */
  public static RuleLimit none() {
    return new RuleLimit(0, null, "", "", true, "", List.of());
  }

  /**
   * Returns this limit with a name, and the names of those that it replaces.
   *
   * @param name the name
   * @param replaces names of limits that do not apply where this one does
   * @return the limit
   */
  public RuleLimit named(String name, String... replaces) {
    return new RuleLimit(line, requestsPerUnit, unit, window, unlimited, name, List.of(replaces));
  }
}
