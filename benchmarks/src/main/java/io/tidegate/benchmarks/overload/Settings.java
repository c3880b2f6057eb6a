package io.tidegate.benchmarks.overload;

import io.tidegate.benchmarks.load.Processors;
import java.util.List;

/**
 * Extent of a run.
 *
 * @param pinned whether server and load have a processor each; otherwise they share all of them
 * @param batch limits of a request
 * @param connections maximum number of connections
 * @param percents offered loads in percent of the maximum, rising
 * @param startRequests requests to a new server before any measurement, for the compiler
 */
record Settings(
    boolean quick,
    boolean pinned,
    int rounds,
    int batch,
    int connections,
    List<Integer> percents,
    int startRequests,
    int warmupMillis,
    int loadMillis) {

  static final int KEYS = 100_000;

  /** Connections of the closed loop that measures the maximum, as in {@code bench http}. */
  static final int CLOSED_CONNECTIONS = 64;

  static Settings of(boolean quick, int rounds, boolean pinned, int batch, int connections) {
    return quick
        ? new Settings(
            true, pinned, rounds, batch, connections, List.of(50, 100, 200), 200_000, 500, 1_500)
        : new Settings(
            false,
            pinned,
            rounds,
            batch,
            connections,
            List.of(10, 25, 50, 75, 90, 100, 110, 125, 150, 200),
            600_000,
            2_000,
            8_000);
  }

  int highestPercent() {
    return percents.get(percents.size() - 1);
  }

  int eventLoops() {
    return Processors.ofServer(pinned);
  }
}
