package io.tidegate.simulator.overshoot;

import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.SharingPolicy;
import java.util.List;
import java.util.stream.Stream;

/**
 * The settings of a run.
 *
 * @param regions number of regions
 * @param nodes number of nodes in each region
 * @param limit tokens per window of the only series
 * @param seed seed of all random draws
 * @param quick whether the run is shortened
 * @param patterns traffic patterns
 * @param loads requested tokens per window, as multiples of the limit
 * @param policies policies under comparison
 * @param curves whether policies also run at other intervals, for the plots
 */
record OvershootSettings(
    int regions,
    int nodes,
    long limit,
    long seed,
    boolean quick,
    List<TrafficPattern> patterns,
    List<Double> loads,
    List<SharingPolicy> policies,
    boolean curves) {

  static final int REGIONS = 10;
  static final int NODES = 3;

  /** Two nodes per region give nearly the same figures in two thirds of the time. */
  static final int QUICK_NODES = 2;

  static final long LIMIT = 1_000;
  static final List<Double> LOADS = List.of(0.3, 0.8, 1.0, 1.2, 2.0, 5.0, 10.0);
  static final List<Double> QUICK_LOADS = List.of(1.0, 2.0, 10.0);
  static final List<SharingPolicy> QUICK_POLICIES = List.of(
      SharingPolicy.BLOCKLIST,
      SharingPolicy.FLOOR,
      SharingPolicy.REMOTE_AWARE,
      SharingPolicy.ADAPTIVE);

  /** The loads of the curves. */
  static final List<Double> CURVE_LOADS = List.of(2.0, 10.0);

  /** Number of windows of a minute. */
  int windows() {
    return quick ? 3 : 6;
  }

  /** The loads of a pattern: its own, if it has a fixed one. */
  List<Double> loads(TrafficPattern pattern) {
    return pattern.hasFixedLoad() ? List.of(pattern.fixedLoad()) : loads;
  }

  int allNodes() {
    return regions * nodes;
  }

  List<Approach> approaches() {
    return Stream.concat(Stream.of(SingleCounter.values()), policies.stream()).toList();
  }
}
