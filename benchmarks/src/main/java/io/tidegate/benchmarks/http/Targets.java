package io.tidegate.benchmarks.http;

import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Judges the results by the targets of this benchmark. */
record Targets(Results results) {

  /**
   * The rest is for the work that the framework does not do: authentication, JSON, the decision.
   */
  private static final double TIMES_CONSTANT = 0.8;

  List<Target> targets() {
    return Settings.KEYS.stream().map(this::throughput).toList();
  }

  private Target throughput(int keys) {
    Scenario scenario = Scenario.closed(results.settings().mostConnections(), keys);
    Spread times = timesConstant(scenario, Load::perSecond);
    String text = "%s: at least %.0f %% of the constant's requests"
        .formatted(scenario.label(), 100 * TIMES_CONSTANT);
    return new Target(text, times.median() >= TIMES_CONSTANT, RATIO.of(times));
  }

  private Spread timesConstant(Scenario scenario, ToDoubleFunction<Load> figure) {
    return results.tidegate(scenario).of(results.timesConstant(figure));
  }

  /** The cost of a decision beyond a constant answer. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (Scenario scenario : results.settings().closedLoops()) {
      Spread requests = timesConstant(scenario, Load::perSecond);
      Spread cpu = timesConstant(scenario, Load::serverSecondsPerMillion);
      if (requests.median() < 1) {
        losses.add("%s: %s of the constant's requests, at %s of its CPU time for each"
            .formatted(scenario.label(), RATIO.of(requests), RATIO.of(cpu)));
      }
    }
    return losses;
  }
}
