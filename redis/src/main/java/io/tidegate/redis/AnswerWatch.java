package io.tidegate.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Detects a connection that no longer answers although it looks open: commands are unanswered and
 * no answer at all has arrived for {@link #TIMEOUT}. Thread-safe.
 */
final class AnswerWatch {

  /** Longer than the limiter waits for any call, so that a slow Redis is not reconnected to. */
  static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile long answeredNanos = System.nanoTime();

  /** Records that commands are about to be sent. */
  void sent(int commands) {
    if (unanswered.get() == 0) {
      answeredNanos = System.nanoTime(); // an idle connection has nothing to answer
    }
    unanswered.addAndGet(commands);
  }

  /** Records that Redis answered a command, with a value or an error. */
  void answered() {
    unanswered.decrementAndGet();
    reset();
  }

  /** Records that a command failed without an answer. */
  void failed() {
    unanswered.decrementAndGet();
  }

  /** Starts anew, for a new connection. */
  void reset() {
    answeredNanos = System.nanoTime();
  }

  boolean isTimedOut() {
    return unanswered.get() > 0 && System.nanoTime() - answeredNanos > TIMEOUT.toNanos();
  }
}
