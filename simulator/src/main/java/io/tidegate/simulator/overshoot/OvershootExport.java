package io.tidegate.simulator.overshoot;

import io.tidegate.report.Json;
import io.tidegate.report.Percentiles;
import io.tidegate.simulator.overshoot.Ledger.Admission;
import io.tidegate.simulator.overshoot.TrialResult.Telling;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.util.Map;

/** All figures of a run, as they go into a file. */
record OvershootExport(OvershootSettings settings, TrialResults figures) {

  Map<String, Object> content() {
    return Json.ordered(
        "settings",
        Json.ordered(
            "regions", settings.regions(),
            "nodes", settings.nodes(),
            "limit", settings.limit(),
            "seed", settings.seed(),
            "quick", settings.quick()),
        "trials",
        figures.outcomes().entrySet().stream()
            .map(each -> trial(each.getKey(), each.getValue()))
            .toList(),
        "targets",
        Json.verdicts(new OvershootTargets(settings, figures).verdicts()));
  }

  private static Map<String, Object> trial(Case key, TrialResult outcome) {
    Admission admission = outcome.admission();
    Map<String, Object> trial = Json.ordered(
        "traffic", key.traffic().option(),
        "load", key.load(),
        "with", key.approach().label(),
        "asked", admission.asked(),
        "denied", admission.denied(),
        "wronglyDenied", admission.wronglyDenied(),
        "worst", admission.worst(),
        "meanWorst", admission.mean());
    Telling telling = outcome.telling();
    if (telling != null) {
      trial.put("rowsWritten", telling.rowsWritten());
      trial.put("rowsRead", telling.rowsRead());
      trial.put("untold", telling.untold());
      Percentiles lag = telling.lagSeconds();
      if (lag != null) {
        trial.put("lagSecondsP50", lag.p50());
        trial.put("lagSecondsP99", lag.p99());
        trial.put("lagSecondsMax", lag.max());
      }
    }
    return trial;
  }
}
