package io.tidegate.simulator.overshoot;

import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings of a run.
 *
 * @param nodes number of nodes in each region
 * @param limit tokens per window of the only series
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

  static final List<Double> LOADS = List.of(0.3, 0.8, 1.0, 1.2, 2.0, 5.0, 10.0);
  static final List<Double> CURVE_LOADS = List.of(2.0, 10.0);

  /** Number of windows of a minute. */
  int windows() {
    return quick ? 3 : 6;
  }

  int allNodes() {
    return regions * nodes;
  }

  List<Approach> approaches() {
    return Stream.concat(Stream.of(SingleCounter.values()), policies.stream()).toList();
  }

  /** All trials of the run. */
  Set<Case> cases() {
    Set<Case> cases = new LinkedHashSet<>();
    for (TrafficPattern pattern : patterns) {
      for (double load : pattern.loads(this)) {
        approaches().forEach(approach -> cases.add(new Case(pattern, load, approach)));
      }
    }
    if (curves) {
      for (double load : CURVE_LOADS) {
        Stream.concat(Stream.of(SingleCounter.values()), SharingPolicy.curves().stream())
            .forEach(approach -> cases.add(new Case(TrafficPattern.EVEN, load, approach)));
      }
      for (double load : loads) {
        cases.add(new Case(TrafficPattern.EVEN, load, SharingPolicy.ISOLATED));
      }
    }
    return cases;
  }
}
