package io.tidegate.spi;

import io.tidegate.model.WindowCell;
import java.util.Objects;

/**
 * The count of one writer in one cell. It is cumulative: sending it twice changes nothing, and the
 * next one makes up for one that is lost.
 *
 * <pre>{@code
 * OwnCount seven = new OwnCount(writer, cell, 7);
 * }</pre>
 *
 * @param writer the writer
 * @param cell the cell
 * @param count tokens that the writer has admitted; 0 raises nothing
 */
public record OwnCount(Writer writer, WindowCell cell, long count) {

  /** Rejects values out of range. */
  public OwnCount {
    Objects.requireNonNull(writer, "writer must not be null");
    Objects.requireNonNull(cell, "cell must not be null");
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
  }
}
