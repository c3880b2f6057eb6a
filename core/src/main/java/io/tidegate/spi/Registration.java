package io.tidegate.spi;

import io.tidegate.model.Bounds;
import java.time.Duration;
import java.util.Objects;

/**
 * The announcement of a node that it is alive.
 *
 * <pre>{@code
 * Registration registration = new Registration("eu", "9f2c1k", Duration.ofSeconds(3), true);
 * }</pre>
 *
 * @param region the region; an origin keeps the nodes of different regions apart
 * @param node the name of the node
 * @param lifetime how long the node counts as alive without another registration; 0 if it leaves
 * @param canRead whether the node can read the global counters for its region
 */
public record Registration(String region, String node, Duration lifetime, boolean canRead) {

  /** Rejects values out of range. */
  public Registration {
    Bounds.checkName("region", region);
    Bounds.checkName("node", node);
    if (Objects.requireNonNull(lifetime, "lifetime must not be null").isNegative()) {
      throw new IllegalArgumentException("lifetime must not be negative: " + lifetime);
    }
  }
}
