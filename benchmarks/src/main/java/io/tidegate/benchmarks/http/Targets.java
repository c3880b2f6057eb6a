package io.tidegate.benchmarks.http;

import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.List;
import java.util.stream.Stream;

/** Judges the results by the targets of this benchmark. */
record Targets(Results results) {

  /**
   * The rest is for the work that the framework does not do: authentication, JSON, the decision.
   */
  private static final double TIMES_CONSTANT = 0.8;

  List<Target> targets() {
    return results.settings().keys().stream().map(this::throughput).toList();
  }

  private Target throughput(int keys) {
    Scenario scenario = Scenario.closed(results.settings().mostConnections(), keys);
    Spread times = tidegate(scenario).of(results.timesConstant(Load::perSecond));
    return new Target(
        "%s: at least %.0f %% of the constant's requests"
            .formatted(scenario.label(), 100 * TIMES_CONSTANT),
        times.median() >= TIMES_CONSTANT,
        RATIO.of(times));
  }

  private Rounds<Load> tidegate(Scenario scenario) {
    return results.of(ServerKind.TIDEGATE, scenario);
  }

  /** The cost of a decision beyond a constant answer. */
  List<String> losses() {
    return results.settings().keys().stream()
        .flatMap(keys -> results.settings().connections().stream()
            .map(connections -> Scenario.closed(connections, keys)))
        .flatMap(this::loss)
        .toList();
  }

  private Stream<String> loss(Scenario scenario) {
    Spread requests = tidegate(scenario).of(results.timesConstant(Load::perSecond));
    Spread cpu = tidegate(scenario).of(results.timesConstant(Load::serverSecondsPerMillion));
    return requests.median() >= 1
        ? Stream.empty()
        : Stream.of("%s: %s of the constant's requests, at %s of its CPU time for each"
            .formatted(scenario.label(), RATIO.of(requests), RATIO.of(cpu)));
  }
}
