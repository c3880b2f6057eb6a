package io.tidegate.simulator.world;

/**
 * A fleet of nodes that share an origin.
 *
 * @param name of the region
 * @param origin its server
 * @param toOrigin how the ways of its nodes to the origin are, at first
 * @param toDatabase how their ways to the database are, at first
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
