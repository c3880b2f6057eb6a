package io.tidegate.simulator.chaos;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The first violated guarantee of a run. It is thrown after the event in which it was found: inside
 * the event, the limiter could catch it like a failure of an adapter.
 */
final class Violations {

  /** A guarantee did not hold. */
  static final class GuaranteeViolation extends RuntimeException {

    private static final long serialVersionUID = 1;

    private GuaranteeViolation(Guarantee guarantee, String details) {
      super(guarantee + ": " + details);
    }
  }

  private @Nullable GuaranteeViolation first;

  /**
   * Records a violation unless the condition holds.
   *
   * @param format details, as for {@link String#format}
   */
  void require(boolean holds, Guarantee guarantee, String format, Object... values) {
    if (!holds && first == null) {
      first = new GuaranteeViolation(guarantee, String.format(Locale.ROOT, format, values));
    }
  }

  /** Throws the first violation, if there is one. */
  void throwFirst() {
    if (first != null) {
      throw first;
    }
  }
}
