package io.tidegate.simulator.world;

/** An error that a simulated server or client reports. Has no stack trace. */
public final class SimulatedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public SimulatedException(String message) {
    super(message, null, false, false);
  }
}
