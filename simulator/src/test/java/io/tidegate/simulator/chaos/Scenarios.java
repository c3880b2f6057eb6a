package io.tidegate.simulator.chaos;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import java.util.Collections;
import java.util.List;

/** Scenarios of a given shape, for tests of the referee. */
final class Scenarios {

  static final Series SERIES = new Series(new Scope("acme", "login", 3_600_000), "user_42");

  private Scenarios() {}

  /** Regions of two nodes with room for all series, clocks that agree, and these faults. */
  static Scenario with(int regions, Fault... faults) {
    return new Scenario(
        1,
        Collections.nCopies(regions, 2),
        1,
        false,
        Scenario.Policy.ALL,
        1_000,
        0,
        0,
        List.of(new Scenario.Subject(SERIES, 100, false)),
        0,
        Scenario.MILLI,
        10 * Scenario.MILLI,
        0,
        60 * Scenario.SECOND,
        10,
        null,
        List.of(faults));
  }

  /** A fault of the first node of a region, with times in seconds. */
  static Fault fault(FaultKind kind, int region, long fromSeconds, long untilSeconds) {
    return new Fault(
        kind, fromSeconds * Scenario.SECOND, untilSeconds * Scenario.SECOND, region, 0, 0.5);
  }
}
