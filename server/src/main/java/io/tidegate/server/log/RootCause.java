package io.tidegate.server.log;

/**
 * Innermost cause of a failure. Pools and futures wrap exceptions, and only the innermost one says
 * what happened.
 */
public final class RootCause {

  private RootCause() {}

  /** Returns the message of the innermost cause, or its class if it has no message. */
  public static String message(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }
}
