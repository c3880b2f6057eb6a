package io.tidegate.server.http;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** The body of a request while it is received. Belongs to the event loop of its exchange. */
final class IncomingBody {

  /**
   * Bytes per request that do not count against the budget, so that long bodies cannot crowd out
   * ordinary requests. A batch of a hundred entries takes some 15 kB.
   */
  private static final int FREE_BYTES = 32 << 10;

  private static final byte[] NOTHING = {};

  private final BodyBudget budget;
  private final int maxBytes;
  private @Nullable Buffer content;

  /** Whether {@link #content} is a buffer of our own; the first chunk must not be appended to. */
  private boolean growing;

  private int reservedBytes;

  IncomingBody(BodyBudget budget, int maxBytes) {
    this.budget = budget;
    this.maxBytes = maxBytes;
  }

  boolean isTooLong(long bytes) {
    return bytes > maxBytes;
  }

  /** Adds a chunk. Returns the problem if there is no room for it, otherwise null. */
  @Nullable
  Problem add(Buffer chunk) {
    int length = length() + chunk.length();
    if (isTooLong(length)) {
      return tooLong();
    }
    int needed = Math.max(0, length - FREE_BYTES) - reservedBytes;
    if (!budget.reserve(needed)) {
      return Problem.bodyTooLarge(
          "The server has no memory for long bodies at the moment; try again, or send a shorter one.");
    }
    reservedBytes += needed;
    append(chunk);
    return null;
  }

  Problem tooLong() {
    return Problem.bodyTooLarge("The body must have at most " + maxBytes + " bytes.");
  }

  private int length() {
    return content == null ? 0 : content.length();
  }

  /** Keeps the first chunk as it is: nearly every body has only one. */
  private void append(Buffer chunk) {
    if (content == null) {
      content = chunk;
      return;
    }
    if (!growing) {
      content = Buffer.buffer(2 * (length() + chunk.length())).appendBuffer(content);
      growing = true;
    }
    content.appendBuffer(chunk);
  }

  byte[] whole() {
    return content == null ? NOTHING : content.getBytes();
  }

  /** Releases the memory of the body. */
  void release() {
    budget.release(reservedBytes);
    reservedBytes = 0;
    content = null;
  }
}
