package io.tidegate.benchmarks.load;

/**
 * A pattern of HTTP requests.
 *
 * @param percent request rate in percent of Tidegate's highest throughput; 0 in a closed loop,
 *     where each connection sends its next request as soon as it has an answer
 */
public record Scenario(int connections, int keys, int percent) {

  public static Scenario closed(int connections, int keys) {
    return new Scenario(connections, keys, 0);
  }

  public String label() {
    return connectionsLabel() + ", " + Identifiers.label(keys);
  }

  public String connectionsLabel() {
    return connections == 1 ? "1 connection" : connections + " connections";
  }
}
