package io.tidegate.simulator.spread;

import java.util.Map;
import java.util.Optional;

/** What became of all trials, in their order. */
record SpreadFigures(Map<Case, Outcome> outcomes) {

  /** One trial. */
  record Case(Traffic traffic, double load, Contender contender) {}

  Optional<Outcome> find(Traffic traffic, double load, Contender contender) {
    return Optional.ofNullable(outcomes.get(new Case(traffic, load, contender)));
  }

  /** What became of a trial that there was. */
  Outcome get(Traffic traffic, double load, Contender contender) {
    return find(traffic, load, contender)
        .orElseThrow(() ->
            new IllegalArgumentException("there was no trial of %s at %s times the limit with %s"
                .formatted(traffic.label(), load, contender.label())));
  }
}
