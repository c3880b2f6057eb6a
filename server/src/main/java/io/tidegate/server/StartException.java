package io.tidegate.server;

/** A node cannot be started, for a reason that whoever starts it can do something about. */
public final class StartException extends RuntimeException {

  private static final long serialVersionUID = 1;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
