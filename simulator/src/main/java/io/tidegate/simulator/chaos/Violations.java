package io.tidegate.simulator.chaos;

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

  void add(Guarantee guarantee, String details) {
    if (first == null) {
      first = new GuaranteeViolation(guarantee, details);
    }
  }

  void throwFirst() {
    if (first != null) {
      throw first;
    }
  }
}
