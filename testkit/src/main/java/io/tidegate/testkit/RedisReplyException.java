package io.tidegate.testkit;

/** An error reply of Redis. The message is Redis's own, such as {@code "WRONGTYPE ..."}. */
public final class RedisReplyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  RedisReplyException(String message) {
    super(message);
  }
}
