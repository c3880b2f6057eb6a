package io.tidegate.server.command;

/** A command that could not do what it was told to, with the reason in one line. */
final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1;

  Failure(String message) {
    super(message);
  }
}
