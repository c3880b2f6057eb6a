package io.tidegate.spi;

import io.tidegate.model.Bounds;

/**
 * Whose count a count is: no two writers ever have the same name, so each one's count only grows.
 *
 * <pre>{@code
 * Writer writer = new Writer("eu", "9f2c1k.3");
 * }</pre>
 *
 * @param region the fleet of nodes that share an origin; counts of different regions do not meet
 * @param name a node, and which of its lives
 */
public record Writer(String region, String name) {

  /** Refuses values outside {@link Bounds}. */
  public Writer {
    Bounds.checkName("region", region);
    Bounds.checkName("name", name);
  }
}
