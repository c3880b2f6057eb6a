package io.tidegate.benchmarks.local;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Extent of a run.
 *
 * @param keys identifiers in the cases with many
 * @param warmups iterations before the measured ones
 * @param iterations measured iterations, of which the median counts
 * @param heap of each forked JVM, as in {@code -Xmx}; used when the parent JVM has none set
 * @param batchSizes requests in a batch
 */
record Settings(
    boolean quick,
    int rounds,
    int keys,
    int warmups,
    int iterations,
    int iterationMillis,
    String heap,
    List<Integer> batchSizes) {

  /** A pattern of requests, sent by some threads at once. */
  record Case(Scenario scenario, int threads) {

    String label() {
      return scenario.label + ", " + threadsLabel();
    }

    String threadsLabel() {
      return threads == 1 ? "1 thread" : threads + " threads";
    }
  }

  static Settings of(boolean quick, int rounds) {
    return quick
        ? new Settings(true, rounds, 100_000, 3, 2, 200, "256m", List.of(5))
        : new Settings(false, rounds, 1_000_000, 3, 3, 500, "2g", List.of(2, 5, 10));
  }

  List<Case> cases() {
    // Two threads on one key vary too much for the few rounds of a quick run.
    Case hot = new Case(Scenario.HOT, 1);
    return Arrays.stream(Scenario.values())
        .flatMap(scenario -> Stream.of(new Case(scenario, 1), new Case(scenario, 2)))
        .filter(each -> !quick || each.scenario == Scenario.ZIPF || each.equals(hot))
        .toList();
  }

  /** The competitors of a scenario, without the variants of Tidegate that add nothing there. */
  List<Competitor> competitors(Scenario scenario) {
    return Arrays.stream(Competitor.values())
        .filter(each -> each != Competitor.TIDEGATE_SHARED)
        .filter(each -> !each.isVariant() || !quick || scenario == Scenario.HOT)
        .filter(each -> each != Competitor.TIDEGATE_DECISION || scenario != Scenario.UNIFORM)
        .filter(
            each -> !each.isObserved() || scenario == Scenario.HOT || scenario == Scenario.DENIED)
        .toList();
  }

  int measurements() {
    int batches = batchSizes.size() * BatchBenchmark.Kind.values().length;
    int decisions =
        cases().stream().mapToInt(each -> competitors(each.scenario).size()).sum();
    return rounds * (batches + decisions) + Competitor.stored().size();
  }
}
