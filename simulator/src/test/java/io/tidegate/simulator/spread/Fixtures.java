package io.tidegate.simulator.spread;

import io.tidegate.report.Percentiles;
import io.tidegate.simulator.spread.Ledger.Admission;
import io.tidegate.simulator.spread.Outcome.Telling;
import io.tidegate.simulator.spread.SpreadFigures.Case;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings and figures for tests. */
final class Fixtures {

  private Fixtures() {}

  /** Small enough for a build, and yet regions of several nodes. */
  static Settings small(List<Traffic> traffics, List<Double> loads, List<Policy> policies) {
    return new Settings(5, 2, 500, 7, true, traffics, loads, policies, false);
  }

  static Settings small() {
    return small(List.of(Traffic.values()), Settings.LOADS, Policy.ALL);
  }

  static Outcome reference(double worst) {
    return new Outcome(new Admission(1_000, 10, 0, worst, worst), null);
  }

  static Outcome outcome(double worst, long wronglyDenied, double rows) {
    return new Outcome(
        new Admission(1_000, 50, wronglyDenied, worst, worst - 0.01),
        new Telling(rows, 30 * rows, new Percentiles(1.5, 4, 5), 0.25));
  }

  /** The same figures for every trial, but for those that are given. */
  static SpreadFigures figures(Settings settings, Map<Case, Outcome> others) {
    Map<Case, Outcome> outcomes = new LinkedHashMap<>();
    for (Case each : new SpreadRun(settings, System.err).cases()) {
      outcomes.put(
          each, each.contender() instanceof Reference ? reference(1) : outcome(1.01, 0, 5));
    }
    outcomes.putAll(others);
    return new SpreadFigures(outcomes);
  }
}
