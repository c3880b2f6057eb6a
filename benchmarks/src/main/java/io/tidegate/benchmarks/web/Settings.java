package io.tidegate.benchmarks.web;

import io.tidegate.benchmarks.load.Scenario;
import java.util.List;

/**
 * Extent of a run.
 *
 * @param pinned whether application and load have a processor each; otherwise they share all
 * @param connections numbers of connections to measure with, the greatest last
 * @param startMillis length of the load on a new application before any measurement, for the
 *     compiler
 */
record Settings(
    boolean quick,
    boolean pinned,
    int rounds,
    List<Integer> connections,
    int startMillis,
    int warmupMillis,
    int loadMillis) {

  /** Numbers of keys to measure with. */
  static final List<Integer> KEYS = List.of(1, 100_000);

  /** Requests of a key per minute: out of reach. */
  static final long LIMIT = 1_000_000_000;

  static Settings of(boolean quick, int rounds, boolean pinned) {
    return quick
        ? new Settings(true, pinned, rounds, List.of(1, 32), 5_000, 150, 700)
        : new Settings(false, pinned, rounds, List.of(1, 8, 32), 20_000, 500, 3_000);
  }

  int mostConnections() {
    return connections.get(connections.size() - 1);
  }

  List<Scenario> scenarios() {
    return KEYS.stream().flatMap(keys -> scenarios(keys).stream()).toList();
  }

  List<Scenario> scenarios(int keys) {
    return connections.stream().map(count -> Scenario.closed(count, keys)).toList();
  }
}
