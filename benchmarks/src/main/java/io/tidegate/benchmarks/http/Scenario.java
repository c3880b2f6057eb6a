package io.tidegate.benchmarks.http;

import io.tidegate.report.Format;

/**
 * A pattern of requests.
 *
 * @param percent request rate in percent of Tidegate's highest throughput; 0 in a closed loop,
 *     where each connection sends its next request as soon as it has an answer
 */
record Scenario(int connections, int keys, int percent) {

  static Scenario closed(int connections, int keys) {
    return new Scenario(connections, keys, 0);
  }

  boolean isClosed() {
    return percent == 0;
  }

  String label() {
    return connectionsLabel() + ", " + keysLabel(keys);
  }

  String connectionsLabel() {
    return connections == 1 ? "1 connection" : connections + " connections";
  }

  static String keysLabel(int keys) {
    return keys == 1 ? "one hot key" : Format.COUNT.of(keys) + " keys";
  }
}
