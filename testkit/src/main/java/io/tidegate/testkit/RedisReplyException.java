package io.tidegate.testkit;

/**
 * Redis answered with an error; the message is Redis's own, such as {@code "WRONGTYPE Operation
 * against a key ..."}.
 */
public final class RedisReplyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  RedisReplyException(String message) {
    super(message);
  }
}
