package io.tidegate.simulator.overshoot;

import java.util.List;

/**
 * What is simulated.
 *
 * @param regions how many
 * @param nodes in each of them
 * @param limit tokens per window, of the one series that is asked for
 * @param seed what all chance follows from
 * @param quick whether it is for a first look only
 * @param traffics the shapes of traffic
 * @param loads how many times the limit is asked for per window
 * @param policies what regions tell each other
 * @param curves whether policies are also run at other paces, to draw the curves
 */
record OvershootSettings(
    int regions,
    int nodes,
    long limit,
    long seed,
    boolean quick,
    List<TrafficPattern> traffics,
    List<Double> loads,
    List<SharingPolicy> policies,
    boolean curves) {

  static final int REGIONS = 10;
  static final int NODES = 3;

  /** Where two nodes a region show nearly the same, in two thirds of the time. */
  static final int QUICK_NODES = 2;

  static final long LIMIT = 1_000;
  static final List<Double> LOADS = List.of(0.3, 0.8, 1.0, 1.2, 2.0, 5.0, 10.0);
  static final List<Double> QUICK_LOADS = List.of(1.0, 2.0, 10.0);

  private static final int WINDOWS = 6;
  private static final int QUICK_WINDOWS = 3;

  /** Windows of a minute; there are more of shorter ones. */
  int windows() {
    return quick ? QUICK_WINDOWS : WINDOWS;
  }

  /** The loads of a shape: its own, if it has one. */
  List<Double> loads(TrafficPattern traffic) {
    return traffic.ownLoad() == 0 ? loads : List.of(traffic.ownLoad());
  }

  int allNodes() {
    return regions * nodes;
  }
}
