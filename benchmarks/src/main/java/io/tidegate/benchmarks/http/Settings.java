package io.tidegate.benchmarks;

import java.util.Collections;
import java.util.List;

/**
 * What a run measures, and for how long.
 *
 * @param quick whether speed matters more than completeness
 * @param pinned whether server and load have a processor each; else they share all of them
 * @param rounds how often everything is measured
 * @param connections how many connections ask, for each load
 * @param keys how many identifiers they ask for, for each load
 * @param percents of what Tidegate answers at most, the rates at which requests are due
 * @param startMillis how long a new server is asked before anything is measured, to be compiled
 * @param warmupMillis how long a load goes on before it is measured
 * @param loadMillis how long it is measured
 * @param series how many there are when the memory is looked at
 */
record HttpSettings(
    boolean quick,
    boolean pinned,
    int rounds,
    List<Integer> connections,
    List<Integer> keys,
    List<Integer> percents,
    int startMillis,
    int warmupMillis,
    int loadMillis,
    int series) {

  private static final List<Integer> PERCENTS = List.of(25, 50, 75);
  private static final List<Integer> KEYS = List.of(1, 100_000);

  /** As many as a server keeps if nobody says otherwise. */
  private static final int SERIES = 1_000_000;

  static HttpSettings full(int rounds, boolean pinned) {
    return new HttpSettings(
        false, pinned, rounds, List.of(1, 8, 64), KEYS, PERCENTS, 12_000, 500, 3_000, SERIES);
  }

  static HttpSettings quick(int rounds, boolean pinned) {
    return new HttpSettings(
        true, pinned, rounds, List.of(1, 64), KEYS, PERCENTS, 5_000, 150, 700, SERIES / 5);
  }

  /** Where the server has the most to do. */
  int mostConnections() {
    return Collections.max(connections);
  }

  int mostKeys() {
    return Collections.max(keys);
  }

  int eventLoops() {
    return pinned ? 1 : Runtime.getRuntime().availableProcessors();
  }

  int serverProcessor() {
    return pinned ? 0 : HttpProcess.ANYWHERE;
  }

  int loadProcessor() {
    return pinned ? 1 : HttpProcess.ANYWHERE;
  }
}
