package io.tidegate.simulator.overshoot;

import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the time from the admission of a token until a node of another region has received it.
 * Each token is observed at one node, in turn. A received count of n stands for the first n tokens.
 */
final class PropagationLag {

  private record Key(int region, long sequence) {}

  /** The admission times of a region's tokens in a cell, and the count that each node received. */
  private record Tokens(List<Long> nanos, Map<Integer, Integer> received) {}

  private final Map<Key, Tokens> cells = new HashMap<>();
  private final List<Double> seconds = new ArrayList<>();
  private final int nodesPerRegion;
  private final int allNodes;
  private long admitted;

  PropagationLag(OvershootSettings settings) {
    this.nodesPerRegion = settings.nodes();
    this.allNodes = settings.allNodes();
  }

  void admitted(int region, long sequence, long cost, long nowNanos) {
    admitted += cost;
    Tokens tokens = cells.computeIfAbsent(
        new Key(region, sequence), key -> new Tokens(new ArrayList<>(), new HashMap<>()));
    for (long i = 0; i < cost; i++) {
      tokens.nanos.add(nowNanos);
    }
  }

  long regionalCount(int region, long sequence) {
    Tokens tokens = cells.get(new Key(region, sequence));
    return tokens == null ? 0 : tokens.nanos.size();
  }

  void received(int node, int region, long sequence, long count, long nowNanos) {
    Tokens tokens = cells.get(new Key(region, sequence));
    int before = tokens == null ? 0 : tokens.received.getOrDefault(node, 0);
    if (tokens == null || count <= before) {
      return;
    }
    if (count > tokens.nanos.size()) {
      throw new IllegalStateException(
          "region %d counted %d and pushed %d".formatted(region, tokens.nanos.size(), count));
    }
    int others = allNodes - nodesPerRegion;
    int rank = node / nodesPerRegion < region ? node : node - nodesPerRegion;
    int first = before + Math.floorMod(rank - before, others);
    for (int i = first; i < count; i += others) {
      seconds.add((nowNanos - tokens.nanos.get(i)) / 1e9);
    }
    tokens.received.put(node, (int) count);
  }

  Percentiles seconds() {
    return Percentiles.of(seconds);
  }

  /** The fraction of tokens that their observing node never received; NaN if none was admitted. */
  double neverReceived() {
    return 1 - seconds.size() / (double) admitted;
  }
}
