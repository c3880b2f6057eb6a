package io.tidegate.server.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all bodies being received may use together. Without it, a thousand connections
 * that each send a body of the maximum length would need ten gigabytes. Shared by all event loops.
 */
final class BodyBudget {

  private final long maxBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  BodyBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Reserves memory; false if there is not enough. */
  boolean reserve(int bytes) {
    if (usedBytes.addAndGet(bytes) <= maxBytes) {
      return true;
    }
    usedBytes.addAndGet(-bytes);
    return false;
  }

  void release(int bytes) {
    usedBytes.addAndGet(-bytes);
  }
}
