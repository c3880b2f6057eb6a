package io.tidegate.server.http;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** The body of a request, as it comes. */
final class IncomingBody {

  /**
   * What every request may take, however much the long bodies of others do. Longer than any that is
   * asked for in earnest: a hundred entries take some 15 kB.
   */
  private static final int FREE_BYTES = 32 << 10;

  private static final byte[] NOTHING = {};

  private final BodyBudget budget;
  private final int most;
  private @Nullable Buffer content;
  private boolean growing;
  private int taken;

  IncomingBody(BodyBudget budget, int most) {
    this.budget = budget;
    this.most = most;
  }

  /** Whether a body of so many bytes is too long. */
  boolean isTooLong(long bytes) {
    return bytes > most;
  }

  /** Takes a part of it, and says why not if it does not. */
  @Nullable
  Problem add(Buffer chunk) {
    int length = length() + chunk.length();
    if (isTooLong(length)) {
      return tooLong();
    }
    int wanted = Math.max(0, length - FREE_BYTES) - taken;
    if (!budget.take(wanted)) {
      return Problem.bodyTooLarge(
          "There is no room for long bodies at the moment; try again, or send a shorter one.");
    }
    taken += wanted;
    keep(chunk);
    return null;
  }

  Problem tooLong() {
    return Problem.bodyTooLarge("The body must have at most " + most + " bytes.");
  }

  private int length() {
    return content == null ? 0 : content.length();
  }

  /** Nearly every body comes in one chunk, which can be kept as it is, and not be added to. */
  private void keep(Buffer chunk) {
    if (content == null) {
      content = chunk;
    } else {
      if (!growing) {
        content = Buffer.buffer(2 * (length() + chunk.length())).appendBuffer(content);
        growing = true;
      }
      content.appendBuffer(chunk);
    }
  }

  byte[] whole() {
    return content == null ? NOTHING : content.getBytes();
  }

  /** Lets go of what it has. */
  void release() {
    budget.give(taken);
    taken = 0;
    content = null;
  }
}
