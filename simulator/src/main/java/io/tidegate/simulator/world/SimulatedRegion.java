package io.tidegate.simulator.world;

/**
 * A region: a name, an origin, and the usual quality of its network.
 *
 * @param name name of the region
 * @param origin server shared by the nodes of the region
 * @param toOrigin quality of a healthy link from a node to the origin
 * @param toDatabase quality of a healthy link from a node to the database
 */
public record SimulatedRegion(
    String name,
    OriginServer origin,
    NetworkLink.Quality toOrigin,
    NetworkLink.Quality toDatabase) {

  @Override
  public String toString() {
    return name;
  }
}
