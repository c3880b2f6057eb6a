package io.tidegate.simulator.chaos;

/** Something that is guaranteed did not hold. */
final class GuaranteeViolation extends RuntimeException {

  private static final long serialVersionUID = 1;

  GuaranteeViolation(String guarantee, String what) {
    super(guarantee + ": " + what);
  }
}
