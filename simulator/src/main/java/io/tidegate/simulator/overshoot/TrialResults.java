package io.tidegate.simulator.overshoot;

import java.util.Map;
import java.util.Optional;

/** What became of all trials, in their order. */
record TrialResults(Map<Case, TrialResult> outcomes) {

  /** One trial. */
  record Case(TrafficPattern traffic, double load, Approach approach) {}

  Optional<TrialResult> find(TrafficPattern traffic, double load, Approach approach) {
    return Optional.ofNullable(outcomes.get(new Case(traffic, load, approach)));
  }

  /** What became of a trial that there was. */
  TrialResult get(TrafficPattern traffic, double load, Approach approach) {
    return find(traffic, load, approach)
        .orElseThrow(() ->
            new IllegalArgumentException("there was no trial of %s at %s times the limit with %s"
                .formatted(traffic.label(), load, approach.label())));
  }
}
