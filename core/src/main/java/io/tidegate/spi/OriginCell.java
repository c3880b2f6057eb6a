package io.tidegate.spi;

import java.util.Map;

/**
 * All counts that an origin holds of one cell.
 *
 * <pre>{@code
 * OriginCell cell = new OriginCell(Map.of("9f2c1k.3", 7L), Map.of("eu", 7L, "us", 30L));
 * }</pre>
 *
 * @param writers the count of each writer, by its name
 * @param components the pushed count of each region, by its name: of the cell's own region, and of
 *     others
 */
public record OriginCell(Map<String, Long> writers, Map<String, Long> components) {

  /** A cell without counts. */
  public static final OriginCell NONE = new OriginCell(Map.of(), Map.of());

  /** Copies the maps, and rejects negative counts. */
  public OriginCell {
    writers = checked(writers);
    components = checked(components);
  }

  private static Map<String, Long> checked(Map<String, Long> counts) {
    counts.forEach((name, count) -> {
      if (count < 0) {
        throw new IllegalArgumentException("count must not be negative: " + count + " of " + name);
      }
    });
    return Map.copyOf(counts);
  }
}
