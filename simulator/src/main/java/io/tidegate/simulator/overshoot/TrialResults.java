package io.tidegate.simulator.overshoot;

import io.tidegate.simulator.common.Approach;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The results of all trials, in their order. */
record TrialResults(Map<Case, TrialResult> results) {

  /** The setup of one trial. */
  record Case(TrafficPattern pattern, double load, Approach approach) {

    @Override
    public String toString() {
      return "%s, %s times the limit, %s".formatted(pattern.label(), load, approach.label());
    }
  }

  /** A trial with its result. */
  record Row(Case setup, TrialResult result) {

    String label() {
      return setup.approach.label();
    }
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

  /** The result of a trial that must exist. */
  TrialResult get(TrafficPattern pattern, double load, Approach approach) {
    return find(pattern, load, approach)
        .orElseThrow(
            () -> new IllegalArgumentException("no trial of " + new Case(pattern, load, approach)));
  }
}
