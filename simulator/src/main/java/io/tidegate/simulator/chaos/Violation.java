package io.tidegate.simulator.chaos;

/** Something that is guaranteed did not hold. */
final class Violation extends RuntimeException {

  private static final long serialVersionUID = 1;

  Violation(String guarantee, String what) {
    super(guarantee + ": " + what);
  }
}
