package io.tidegate.simulator.overshoot;

import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures the time from the admission of a token until a node of another region has received it.
 * Each token is observed at one node, in turn. A received count of n stands for the first n tokens.
 */
final class PropagationLag {

  private static final double NANOS_PER_SECOND = 1e9;

  private record Key(int region, long sequence) {}

  /** The admission times of a region's tokens in a cell, and the count that each node received. */
  private static final class Tokens {

    private final int[] received;
    private long[] nanos = new long[16];
    private int size;

    Tokens(int nodes) {
      this.received = new int[nodes];
    }

    void add(long now) {
      if (size == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * size);
      }
      nanos[size++] = now;
    }
  }

  private final Map<Key, Tokens> cells = new HashMap<>();
  private final List<Double> seconds = new ArrayList<>();
  private final int nodesPerRegion;
  private final int allNodes;
  private long admitted;

  PropagationLag(OvershootSettings settings) {
    this.nodesPerRegion = settings.nodes();
    this.allNodes = settings.allNodes();
  }

  /** A region admitted tokens. */
  void admitted(int region, long sequence, long cost, long nowNanos) {
    admitted += cost;
    Tokens tokens = cells.computeIfAbsent(new Key(region, sequence), key -> new Tokens(allNodes));
    for (long i = 0; i < cost; i++) {
      tokens.add(nowNanos);
    }
  }

  /** The count of a region in a cell. */
  long regionalCount(int region, long sequence) {
    Tokens tokens = cells.get(new Key(region, sequence));
    return tokens == null ? 0 : tokens.size;
  }

  /** A node received the count of another region. */
  void received(int node, int region, long sequence, long count, long nowNanos) {
    Tokens tokens = cells.get(new Key(region, sequence));
    int before = tokens == null ? 0 : tokens.received[node];
    if (tokens == null || count <= before) {
      return;
    }
    if (count > tokens.size) {
      throw new IllegalStateException(
          "region %d counted %d and pushed %d".formatted(region, tokens.size, count));
    }
    int others = allNodes - nodesPerRegion;
    int rank = node / nodesPerRegion < region ? node : node - nodesPerRegion;
    int first = before + Math.floorMod(rank - before, others);
    for (int i = first; i < count; i += others) {
      seconds.add((nowNanos - tokens.nanos[i]) / NANOS_PER_SECOND);
    }
    tokens.received[node] = (int) count;
  }

  /** The lag of received tokens; null if none was received. */
  @Nullable
  Percentiles seconds() {
    return seconds.isEmpty() ? null : Percentiles.of(seconds);
  }

  /** The fraction of tokens that their observing node never received. */
  double neverReceived() {
    return admitted == 0 ? 0 : 1 - seconds.size() / (double) admitted;
  }
}
