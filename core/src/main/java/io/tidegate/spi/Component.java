package io.tidegate.spi;

import io.tidegate.model.Bounds;
import io.tidegate.model.WindowCell;
import java.util.Objects;

/**
 * What one region has counted in a cell so far. Not an increment: sending it twice changes nothing,
 * and one that is lost is made up for by the next.
 *
 * <pre>{@code
 * Component seven = new Component("eu", cell, 7);
 * }</pre>
 *
 * @param region whose count
 * @param cell of which cell
 * @param count how much, 1 to 2^54
 */
public record Component(String region, WindowCell cell, long count) {

  /** More than an origin and a node can count: beyond it, something else has written there. */
  private static final long MAX_COUNT = 1L << 54;

  /** Refuses a count that cannot be. */
  public Component {
    Bounds.checkName("region", region);
    Objects.requireNonNull(cell, "cell must not be null");
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException("count must be between 1 and 2^54: " + count);
    }
  }
}
