package io.tidegate.spi;

/**
 * The nodes of a region that are alive, by their registrations in the origin.
 *
 * <p>{@code new LiveNodes(3)}
 *
 * @param count number of nodes, at least 0
 */
public record LiveNodes(int count) {

  /** Rejects values out of range. */
  public LiveNodes {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
  }
}
