package io.tidegate.spi;

import io.tidegate.model.WindowCell;
import java.util.Objects;

/**
 * What one writer has accepted in a cell so far. Not an increment: sending it twice changes
 * nothing, and one that is lost is made up for by the next.
 *
 * <pre>{@code
 * OwnCount seven = new OwnCount(writer, cell, 7);
 * }</pre>
 *
 * @param writer whose count
 * @param cell of which cell
 * @param count how much, at least 1
 */
public record OwnCount(Writer writer, WindowCell cell, long count) {

  /** Refuses a count that cannot be. */
  public OwnCount {
    Objects.requireNonNull(writer, "writer must not be null");
    Objects.requireNonNull(cell, "cell must not be null");
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1: " + count);
    }
  }
}
