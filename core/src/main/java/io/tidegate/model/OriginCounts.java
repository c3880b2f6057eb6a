package io.tidegate.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the origin holds of one cell.
 *
 * <p>{@code new OriginCounts(Map.of("node-1", 7L, "node-2", 5L), Map.of("us", 30L), 12).regional()
 * // 12}
 *
 * @param nodes tokens admitted by each node of the region, over all its incarnations
 * @param imported tokens of each other region, as the reader of the region has stored them
 * @param pushed the part of this region's count that is known to be in the global counters
 */
public record OriginCounts(Map<String, Long> nodes, Map<String, Long> imported, long pushed) {

  /** Copies the maps, in the order of their names. */
  public OriginCounts {
    nodes = sorted(nodes);
    imported = sorted(imported);
    if (pushed < 0) {
      throw new IllegalArgumentException("pushed must not be negative: " + pushed);
    }
  }

  /**
   * Returns what the nodes of the region have admitted: {@code counts.regional()}.
   *
   * @return the sum over all nodes
   */
  public long regional() {
    return nodes.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Long> sorted(Map<String, Long> counts) {
    return Collections.unmodifiableMap(new TreeMap<>(counts));
  }
}
