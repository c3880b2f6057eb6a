package io.tidegate.simulator.fleet;

import io.tidegate.simulator.common.SharingPolicy;

/**
 * The settings of one simulation.
 *
 * @param sample one in this many series is simulated; 1 for all
 * @param maxSeries maximum number of series in a node of the whole fleet
 * @param minutes measured time
 */
record FleetSettings(
    FleetSize size, int sample, SharingPolicy policy, int maxSeries, int minutes, long seed) {

  FleetSettings withAllSeries() {
    return new FleetSettings(size, 1, policy, maxSeries, minutes, seed);
  }

  boolean isFull() {
    return sample == 1;
  }

  /** Rounds of pushes per second, of all nodes. */
  double rounds() {
    return size.nodes() * 1_000.0 / policy.push().interval().toMillis();
  }

  /** Number of simulated series. */
  int series() {
    return size.series() / sample;
  }

  /** Maximum number of simulated series in a node: the sample of {@link #maxSeries}. */
  int sampledMaxSeries() {
    return Math.max(1, maxSeries / sample);
  }

  String label() {
    return isFull() ? size.label() + ", all series" : size.label() + ", one in " + sample;
  }
}
