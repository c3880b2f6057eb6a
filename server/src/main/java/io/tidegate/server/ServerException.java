package io.tidegate.server;

import java.util.Objects;

/** Failure to start or stop a node. The message is the reason, for operators. */
public final class ServerException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ServerException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
