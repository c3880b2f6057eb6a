package io.tidegate.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a run measures, and for how long.
 *
 * @param quick whether speed matters more than completeness
 * @param rounds how often everything is measured
 * @param keys identifiers in the scenarios with many
 * @param warmups iterations before the measured ones
 * @param iterations measured iterations, of which the median counts
 * @param iterationMillis length of each iteration
 * @param heap of each forked JVM, as in {@code -Xmx}; used when the parent JVM has none set
 * @param batchSizes requests in a batch
 */
record LocalSettings(
    boolean quick,
    int rounds,
    int keys,
    int warmups,
    int iterations,
    int iterationMillis,
    String heap,
    List<Integer> batchSizes) {

  /**
   * What is compared side by side: measured one after another, so that all meet the same state of
   * the machine.
   */
  record Group(Scenario scenario, int threads, List<Competitor> competitors) {}

  static LocalSettings full(int rounds) {
    return new LocalSettings(false, rounds, 1_000_000, 3, 3, 500, "2g", List.of(2, 5, 10));
  }

  static LocalSettings quick(int rounds) {
    return new LocalSettings(true, rounds, 100_000, 3, 2, 200, "256m", List.of(5));
  }

  /** A batch is much more code than a decision, and the compiler takes longer over it. */
  LocalSettings forBatches() {
    return new LocalSettings(
        quick, rounds, keys, 2 * warmups, iterations, iterationMillis, heap, batchSizes);
  }

  List<Group> groups() {
    List<Group> groups = new ArrayList<>();
    for (Scenario scenario : Scenario.values()) {
      for (int threads = 1; threads <= 2; threads++) {
        if (!quick || isInQuickRun(scenario, threads)) {
          groups.add(new Group(scenario, threads, competitors(scenario)));
        }
      }
    }
    return groups;
  }

  /**
   * Two threads on one key give other figures each time: they need more rounds than a quick run
   * has.
   */
  private static boolean isInQuickRun(Scenario scenario, int threads) {
    return scenario == Scenario.ZIPF || scenario == Scenario.HOT && threads == 1;
  }

  /** Tidegate's other ways are left out where they would tell nothing new. */
  private List<Competitor> competitors(Scenario scenario) {
    return Arrays.stream(Competitor.values())
        .filter(competitor -> !competitor.isVariant() || !quick || scenario == Scenario.HOT)
        .filter(competitor ->
            competitor != Competitor.TIDEGATE_DECISION || scenario != Scenario.UNIFORM)
        .toList();
  }
}
