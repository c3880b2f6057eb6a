package io.tidegate.simulator.chaos;

/** An error that a simulated adapter or observer throws. Has no stack trace. */
final class SimulatedError extends Error {

  private static final long serialVersionUID = 1;

  SimulatedError(String message) {
    super(message, null, false, false);
  }
}
