package io.tidegate.server.command;

/** The failure of a command, with a message of one line for the user. */
public final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates a failure with a message of one line. */
  public Failure(String message) {
    super(message);
  }
}
