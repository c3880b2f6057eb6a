package io.tidegate.benchmarks;

import io.tidegate.report.Spread;
import io.tidegate.report.Words;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All that a run has measured. */
record HttpFigures(List<Load> loads, List<Memory> memories) {

  /** As fast as answers come. */
  static final int NO_RATE = 0;

  /**
   * What is asked.
   *
   * @param percent of what Tidegate answers at most, the rate at which requests are due; or
   *     {@link #NO_RATE}
   */
  record Scenario(int connections, int keys, int percent) {

    String label() {
      return connectionsLabel() + ", " + keysLabel(keys);
    }

    String connectionsLabel() {
      return connections == 1 ? "1 connection" : connections + " connections";
    }

    static String keysLabel(int keys) {
      return keys == 1 ? "one hot key" : Words.count(keys) + " keys";
    }
  }

  /**
   * One contender in one round.
   *
   * @param serverSeconds CPU that the server's process took
   */
  record Load(
      HttpContender contender,
      Scenario scenario,
      int round,
      HttpLoad.Outcome outcome,
      double serverSeconds) {

    double perSecond() {
      return outcome.perSecond();
    }

    double serverSecondsPerMillion() {
      return 1e6 * serverSeconds / outcome.requests();
    }

    double serverPercent() {
      return 100 * serverSeconds / outcome.seconds();
    }
  }

  /**
   * What a server holds that has just begun, and what it holds after.
   *
   * @param residentBytes what the system gives it in the end; 0 if it does not tell
   */
  record Memory(
      HttpContender contender,
      HttpNode.Holding before,
      HttpNode.Holding after,
      long residentBytes,
      double fillingSeconds) {

    double bytesPerSeries() {
      return (double) (after.heapBytes() - before.heapBytes()) / (after.series() - before.series());
    }
  }

  Spread of(HttpContender contender, Scenario scenario, ToDoubleFunction<Load> figure) {
    return Spread.of(loads.stream()
        .filter(load -> load.contender == contender && load.scenario.equals(scenario))
        .mapToDouble(figure)
        .toArray());
  }

  /** How many times the constant's figure Tidegate's is in the same round. */
  Spread timesConstant(Scenario scenario, ToDoubleFunction<Load> figure) {
    return of(
        HttpContender.TIDEGATE,
        scenario,
        load -> figure.applyAsDouble(load)
            / loads.stream()
                .filter(other -> other.contender == HttpContender.CONSTANT)
                .filter(other -> other.scenario.equals(scenario) && other.round == load.round)
                .mapToDouble(figure)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nothing to compare with: " + load)));
  }
}
