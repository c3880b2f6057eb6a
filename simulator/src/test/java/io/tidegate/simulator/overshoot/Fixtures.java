package io.tidegate.simulator.overshoot;

import io.tidegate.report.Percentiles;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** OvershootSettings and figures for tests. */
final class Fixtures {

  private Fixtures() {}

  /** Small enough for a build, with several nodes per region. */
  static OvershootSettings small(
      List<TrafficPattern> patterns, List<Double> loads, List<SharingPolicy> policies) {
    return new OvershootSettings(5, 2, 500, 7, true, patterns, loads, policies, false);
  }

  static OvershootSettings small() {
    return small(List.of(TrafficPattern.values()), OvershootSettings.LOADS, SharingPolicy.ALL);
  }

  static TrialResult reference(double worst) {
    Percentiles none = Percentiles.of(List.of());
    return new TrialResult(1_000, 10, 0, worst, worst, Double.NaN, Double.NaN, none, Double.NaN);
  }

  static TrialResult outcome(double worst, long wronglyDenied, double rows) {
    return new TrialResult(
        1_000,
        50,
        wronglyDenied,
        worst,
        worst - 0.01,
        rows,
        30 * rows,
        new Percentiles(1.5, 4, 5),
        0.25);
  }

  /** The same result for every trial, except the given ones. */
  static TrialResults figures(OvershootSettings settings, Map<Case, TrialResult> others) {
    Map<Case, TrialResult> results = new LinkedHashMap<>();
    for (Case each : settings.cases()) {
      results.put(
          each, each.approach() instanceof SingleCounter ? reference(1) : outcome(1.01, 0, 5));
    }
    results.putAll(others);
    return new TrialResults(results);
  }
}
