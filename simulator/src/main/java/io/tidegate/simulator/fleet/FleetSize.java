package io.tidegate.simulator.fleet;

import java.util.List;
import java.util.Optional;

/**
 * How large a fleet is: as the RFC found it in production, or so many times that.
 *
 * @param label how it is asked for
 * @param regions how many there are
 * @param nodes how many there are in all of them together
 * @param series how many are in use
 * @param usualSample one in so many series is enough to know the rest, and is simulated in minutes
 */
record FleetSize(String label, int regions, int nodes, int series, int usualSample) {

  /** 24,000 active windows at peak, by the RFC. */
  static final FleetSize ONE = new FleetSize("1x", 10, 33, 24_000, 12);

  static final FleetSize TEN = new FleetSize("10x", 30, 330, 240_000, 40);
  static final FleetSize HUNDRED = new FleetSize("100x", 100, 3_300, 2_400_000, 1_200);
  static final List<FleetSize> ALL = List.of(ONE, TEN, HUNDRED);

  static Optional<FleetSize> of(String label) {
    return ALL.stream().filter(shape -> shape.label.equals(label)).findFirst();
  }

  /** How many times the RFC's it is. */
  double times() {
    return (double) series / ONE.series;
  }

  int regionOf(int node) {
    return node % regions;
  }

  /** How many nodes a region has: three or four of the RFC's, eleven, 33. */
  int nodesOf(int region) {
    return (nodes - region + regions - 1) / regions;
  }

  /** The number of a region's node. */
  int nodeOf(int region, int number) {
    return region + number * regions;
  }
}
