package io.tidegate.simulator.overshoot;

import io.tidegate.report.Progress;
import io.tidegate.simulator.common.ParallelRuns;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Runs all trials of the settings. */
record OvershootRun(OvershootSettings settings, PrintStream progressTo) {

  TrialResults run() throws InterruptedException {
    Set<Case> cases = cases();
    Progress progress = new Progress(progressTo, cases.size(), System::nanoTime);
    Map<Case, TrialResult> results = new LinkedHashMap<>();
    ParallelRuns.run(
        ParallelRuns.processors(),
        cases.iterator(),
        each -> OvershootTrial.run(settings, each.pattern(), each.load(), each.approach()),
        (each, result) -> {
          progress.next(each.toString());
          results.put(each, result);
          return true;
        });
    progress.end();
    return new TrialResults(results);
  }

  Set<Case> cases() {
    Set<Case> cases = new LinkedHashSet<>();
    for (TrafficPattern pattern : settings.patterns()) {
      for (double load : settings.loads(pattern)) {
        settings.approaches().forEach(approach -> cases.add(new Case(pattern, load, approach)));
      }
    }
    if (settings.curves()) {
      for (double load : OvershootSettings.CURVE_LOADS) {
        Stream.concat(Stream.of(SingleCounter.values()), SharingPolicy.curves().stream())
            .forEach(approach -> cases.add(new Case(TrafficPattern.EVEN, load, approach)));
      }
    }
    return cases;
  }
}
