package io.tidegate.server.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory all unfinished bodies may take together: a thousand connections that each send
 * the longest body there may be would otherwise take ten gigabytes.
 */
final class BodyBudget {

  private final long most;
  private final AtomicLong taken = new AtomicLong();

  BodyBudget(long most) {
    this.most = most;
  }

  /** Whether there was room. */
  boolean take(int bytes) {
    if (taken.addAndGet(bytes) <= most) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void give(int bytes) {
    taken.addAndGet(-bytes);
  }
}
