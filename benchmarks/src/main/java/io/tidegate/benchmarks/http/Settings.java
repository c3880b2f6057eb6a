package io.tidegate.benchmarks.http;

import java.util.Collections;
import java.util.List;

/**
 * Extent of a run.
 *
 * @param pinned whether server and load have a processor each; otherwise they share all of them
 * @param connections numbers of connections to measure with
 * @param keys numbers of identifiers to measure with
 * @param percents request rates of the open loop, in percent of Tidegate's highest throughput
 * @param startMillis length of the load on a new server before any measurement, for the compiler
 * @param series number of series in the measurement of memory
 */
record Settings(
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

  /** The default capacity of a server. */
  private static final int SERIES = 1_000_000;

  static Settings full(int rounds, boolean pinned) {
    return new Settings(
        false, pinned, rounds, List.of(1, 8, 64), KEYS, PERCENTS, 12_000, 500, 3_000, SERIES);
  }

  static Settings quick(int rounds, boolean pinned) {
    return new Settings(
        true, pinned, rounds, List.of(1, 64), KEYS, PERCENTS, 5_000, 150, 700, SERIES / 5);
  }

  /** The heaviest load: all keys over the most connections, as fast as the server answers. */
  Scenario heaviest() {
    return Scenario.closed(mostConnections(), mostKeys());
  }

  int mostConnections() {
    return Collections.max(connections);
  }

  int mostKeys() {
    return Collections.max(keys);
  }

  int eventLoops() {
    return pinned ? 1 : Runtime.getRuntime().availableProcessors();
  }
}
