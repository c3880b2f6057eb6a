package io.tidegate.simulator.world;

import io.tidegate.simulator.world.NetworkLink.Quality;

/** A region: its origin, and the quality of healthy links from its nodes to the servers. */
public record SimulatedRegion(
    String name, OriginServer origin, Quality toOrigin, Quality toDatabase) {

  @Override
  public String toString() {
    return name;
  }
}
