package io.tidegate.server.command;

/** A command that could not do what it was told to, with the reason in one line. */
public final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** In one line. */
  public Failure(String message) {
    super(message);
  }
}
