package io.tidegate.simulator.overshoot;

import io.tidegate.report.Progress;
import io.tidegate.simulator.common.Approach;
import io.tidegate.simulator.common.ParallelRuns;
import io.tidegate.simulator.common.SharingPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The results of all trials, in their order. */
record TrialResults(Map<Case, TrialResult> results) {

  /** The setup of one trial. */
  record Case(TrafficPattern pattern, double load, Approach approach) {

    boolean sharesCounts() {
      return approach instanceof SharingPolicy policy && policy.sharesCounts();
    }

    @Override
    public String toString() {
      return "%s, %s times the limit, %s".formatted(pattern.label, load, approach.label());
    }
  }

  /** A trial with its result. */
  record Row(Case setup, TrialResult result) {

    String label() {
      return setup.approach.label();
    }
  }

  /** Runs all trials of the settings. */
  static TrialResults run(OvershootSettings settings) throws InterruptedException {
    Progress progress = new Progress(System.err, settings.cases().size(), System::nanoTime);
    Map<Case, TrialResult> results = new LinkedHashMap<>();
    ParallelRuns.run(
        ParallelRuns.processors(),
        settings.cases().iterator(),
        each -> OvershootTrial.run(settings, each),
        (each, result) -> {
          progress.next(each.toString());
          results.put(each, result);
          return true;
        });
    progress.end();
    return new TrialResults(results);
  }

  List<Row> rows(Predicate<Case> which) {
    return results.entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .map(entry -> new Row(entry.getKey(), entry.getValue()))
        .toList();
  }

  Optional<TrialResult> find(TrafficPattern pattern, double load, Approach approach) {
    return Optional.ofNullable(results.get(new Case(pattern, load, approach)));
  }
}
