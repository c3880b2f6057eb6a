package io.tidegate.simulator.fleet;

import java.util.List;

/**
 * The size of a fleet, as a multiple of the reference system's.
 *
 * @param label name on the command line
 * @param nodes number of nodes in all regions
 * @param series number of active series
 * @param usualSample one in this many series is simulated by default, which takes minutes
 */
record FleetSize(String label, int regions, int nodes, int series, int usualSample) {

  /** The reference system, with 24,000 active windows at peak. */
  static final FleetSize ONE = new FleetSize("1x", 10, 33, 24_000, 12);

  static final FleetSize TEN = new FleetSize("10x", 30, 330, 240_000, 40);
  static final FleetSize HUNDRED = new FleetSize("100x", 100, 3_300, 2_400_000, 1_200);
  static final List<FleetSize> ALL = List.of(ONE, TEN, HUNDRED);

  /** The multiple of the reference system. */
  double times() {
    return (double) series / ONE.series;
  }

  /** Most rows that all nodes may read per second; infinite if there is no target. */
  double maxRowsRead() {
    if (equals(ONE)) {
      return 15_000; // what the reference design expects
    }
    return equals(TEN) ? 500_000 : Double.POSITIVE_INFINITY; // what two cores of a database serve
  }

  int regionOf(int node) {
    return node % regions;
  }

  /** Number of nodes of a region: three or four at 1x, 11 at 10x, 33 at 100x. */
  int nodesOf(int region) {
    return (nodes - region + regions - 1) / regions;
  }

  /** Number in the fleet of a node that is given by its number in its region. */
  int nodeOf(int region, int number) {
    return region + number * regions;
  }
}
