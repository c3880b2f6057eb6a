package io.tidegate.spi;

import io.tidegate.model.Bounds;

/**
 * The owner of a count in the origin. A writer name is used by one node during one incarnation and
 * never again, so that the count of a writer only grows.
 *
 * <pre>{@code
 * Writer writer = new Writer("eu", "9f2c1k.3");
 * }</pre>
 *
 * @param region the region; an origin keeps the counts of different regions apart
 * @param name the name of the node and of its incarnation
 */
public record Writer(String region, String name) {

  /** Rejects values outside {@link Bounds}. */
  public Writer {
    Bounds.checkName("region", region);
    Bounds.checkName("name", name);
  }
}
