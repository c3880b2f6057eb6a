package io.tidegate.benchmarks;

import io.tidegate.benchmarks.HttpFigures.Load;
import io.tidegate.benchmarks.HttpFigures.Scenario;
import io.tidegate.report.Spread;
import io.tidegate.report.Verdict;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.List;

/** What Tidegate is meant to reach over HTTP, held against what was measured. */
record HttpTargets(HttpSettings settings, HttpFigures figures) {

  /** What is left for deciding, once the framework has had its part. */
  private static final double TIMES_CONSTANT = 0.8;

  List<Verdict> verdicts() {
    return settings.keys().stream().map(this::throughput).toList();
  }

  private Verdict throughput(int keys) {
    Scenario scenario = new Scenario(settings.mostConnections(), keys, HttpFigures.NO_RATE);
    Spread times = figures.timesConstant(scenario, Load::perSecond);
    return new Verdict(
        "%s: at least %.0f %% of the constant's requests"
            .formatted(scenario.label(), 100 * TIMES_CONSTANT),
        times.median() >= TIMES_CONSTANT,
        Words.ratio(times));
  }

  /** What a decision costs over HTTP beyond an answer that was there before, in words. */
  List<String> whereWeLose() {
    List<String> losses = new ArrayList<>();
    for (int keys : settings.keys()) {
      for (int connections : settings.connections()) {
        Scenario scenario = new Scenario(connections, keys, HttpFigures.NO_RATE);
        Spread times = figures.timesConstant(scenario, Load::perSecond);
        if (times.median() < 1) {
          losses.add("%s: %s of the constant's requests, at %s of its CPU for each"
              .formatted(
                  scenario.label(),
                  Words.ratio(times),
                  Words.ratio(figures.timesConstant(scenario, Load::serverSecondsPerMillion))));
        }
      }
    }
    return losses;
  }
}
