package io.tidegate.server;

/** A node could not be started or ended as it should, for a reason that the message says. */
public final class ServerException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
