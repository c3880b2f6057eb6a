package io.tidegate.spi;

import io.tidegate.model.WindowCell;
import java.util.Objects;

/**
 * What one writer has accepted in a cell so far. Not an increment: sending it twice changes
 * nothing, and one that is lost is made up for by the next.
 *
 * <pre>{@code
 * OwnCount seven = new OwnCount(writer, cell, 7, 0);
 * }</pre>
 *
 * @param writer whose count
 * @param cell of which cell
 * @param count how much, at least 1
 * @param confirmed how much of it the origin is known to hold; 0 if it may not know the cell
 */
public record OwnCount(Writer writer, WindowCell cell, long count, long confirmed) {

  /** Refuses a count that cannot be. */
  public OwnCount {
    Objects.requireNonNull(writer, "writer must not be null");
    Objects.requireNonNull(cell, "cell must not be null");
    if (confirmed < 0 || count <= confirmed) {
      throw new IllegalArgumentException(
          "confirmed must be from 0 to less than count: " + confirmed + ", " + count);
    }
  }
}
