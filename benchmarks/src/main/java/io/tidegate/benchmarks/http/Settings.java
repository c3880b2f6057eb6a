package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.Scenario;
import java.util.List;

/**
 * Extent of a run.
 *
 * @param pinned whether server and load have a processor each; otherwise they share all of them
 * @param connections numbers of connections to measure with, the greatest last
 * @param startMillis length of the load on a new server before any measurement, for the compiler
 * @param series number of series in the measurement of memory
 */
record Settings(
    boolean quick,
    boolean pinned,
    int rounds,
    List<Integer> connections,
    int startMillis,
    int warmupMillis,
    int loadMillis,
    int series) {

  /** Numbers of identifiers to measure with. */
  static final List<Integer> KEYS = List.of(1, 100_000);

  static final int MOST_KEYS = 100_000;

  /** Request rates of the open loop, in percent of Tidegate's highest throughput. */
  static final List<Integer> PERCENTS = List.of(25, 50, 75);

  /** A full run creates as many series as a server holds by default. */
  static Settings of(boolean quick, int rounds, boolean pinned) {
    return quick
        ? new Settings(true, pinned, rounds, List.of(1, 64), 5_000, 150, 700, 200_000)
        : new Settings(false, pinned, rounds, List.of(1, 8, 64), 12_000, 500, 3_000, 1_000_000);
  }

  int mostConnections() {
    return connections.get(connections.size() - 1);
  }

  List<Scenario> closedLoops() {
    return KEYS.stream()
        .flatMap(keys -> connections.stream().map(count -> Scenario.closed(count, keys)))
        .toList();
  }

  /** The scenario whose throughput sets the rates of the open loop. */
  Scenario heaviest() {
    return Scenario.closed(mostConnections(), MOST_KEYS);
  }

  int eventLoops() {
    return Processors.ofServer(pinned);
  }
}
