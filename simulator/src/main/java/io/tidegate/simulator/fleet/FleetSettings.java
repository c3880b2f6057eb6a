package io.tidegate.simulator.fleet;

/**
 * One simulation.
 *
 * @param shape of the fleet
 * @param sample one in so many series is simulated; 1 for all
 * @param policy what the regions tell each other
 * @param maxSeries how many series a node of the whole fleet may hold
 * @param minutes how long it is measured
 * @param seed what all that happens by chance follows from
 */
record FleetSettings(
    FleetSize shape, int sample, Policy policy, int maxSeries, int minutes, long seed) {

  boolean isFull() {
    return sample == 1;
  }

  /** How many series are simulated. */
  int series() {
    return shape.series() / sample;
  }

  /** How many of these a node may hold, so that it has as little room as with all of them. */
  int sampledMaxSeries() {
    return Math.max(1, maxSeries / sample);
  }

  /**
   * About how much heap its nodes need: of what is active, all hear of six in ten, and of each keep
   * what every region told.
   */
  long bytes() {
    double held = Math.min(0.6 * series(), sampledMaxSeries());
    return (long) (shape.nodes() * held * (300 + 8 * shape.regions()));
  }

  String label() {
    return isFull() ? shape.label() + ", all series" : shape.label() + ", one in " + sample;
  }
}
