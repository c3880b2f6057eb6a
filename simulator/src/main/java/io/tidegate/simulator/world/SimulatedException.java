package io.tidegate.simulator.world;

/** A server's error. Without a trace of the stack, which would say nothing. */
public final class SimulatedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public SimulatedException(String message) {
    super(message, null, false, false);
  }
}
