package io.tidegate.spi;

import io.tidegate.model.Bounds;
import io.tidegate.model.WindowCell;
import java.util.Objects;

/**
 * The count of one region in one cell. It is cumulative: sending it twice changes nothing, and the
 * next one makes up for one that is lost.
 *
 * <pre>{@code
 * Component seven = new Component("eu", cell, 7);
 * }</pre>
 *
 * @param region the region
 * @param cell the cell
 * @param count tokens that the region has admitted, 1 to 2^54
 */
public record Component(String region, WindowCell cell, long count) {

  /** Above the counts of an origin and a node, 2^53 each; higher values are corrupt. */
  private static final long MAX_COUNT = 1L << 54;

  /** Rejects values out of range. */
  public Component {
    Bounds.checkName("region", region);
    Objects.requireNonNull(cell, "cell must not be null");
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException("count must be between 1 and 2^54: " + count);
    }
  }
}
