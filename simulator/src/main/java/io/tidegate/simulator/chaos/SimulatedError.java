package io.tidegate.simulator.chaos;

/** An error of an adapter or an observer. Without a stack trace, which would say nothing. */
final class SimulatedError extends Error {

  private static final long serialVersionUID = 1;

  SimulatedError(String message) {
    super(message, null, false, false);
  }
}
