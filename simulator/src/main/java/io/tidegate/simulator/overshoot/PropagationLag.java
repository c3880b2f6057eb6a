package io.tidegate.simulator.overshoot;

import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long it takes until a node of another region has been told of a token. One node is watched
 * for each token, all nodes in turn. A count tells of as many tokens, those that came first.
 */
final class PropagationLag {

  private static final double NANOS_PER_SECOND = 1e9;

  private record Key(int region, long sequence) {}

  /** The tokens of a region in a cell, and how many each node has been told of. */
  private static final class Tokens {

    private final int[] told;
    private long[] nanos = new long[16];
    private int size;

    Tokens(int nodes) {
      this.told = new int[nodes];
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
  private final int nodes;
  private final int allNodes;
  private long accepted;

  PropagationLag(OvershootSettings settings) {
    this.nodes = settings.nodes();
    this.allNodes = settings.allNodes();
  }

  /** A region has accepted tokens. */
  void accepted(int region, long sequence, long cost, long nowNanos) {
    accepted += cost;
    Tokens tokens = cells.computeIfAbsent(new Key(region, sequence), key -> new Tokens(allNodes));
    for (long i = 0; i < cost; i++) {
      tokens.add(nowNanos);
    }
  }

  /** How much a region has accepted in a cell. */
  long counted(int region, long sequence) {
    Tokens tokens = cells.get(new Key(region, sequence));
    return tokens == null ? 0 : tokens.size;
  }

  /** A node has been told what another region has counted. */
  void told(int node, int region, long sequence, long count, long nowNanos) {
    Tokens tokens = cells.get(new Key(region, sequence));
    int before = tokens == null ? 0 : tokens.told[node];
    if (tokens == null || count <= before) {
      return;
    }
    if (count > tokens.size) {
      throw new IllegalStateException(
          "region %d counted %d and told %d".formatted(region, tokens.size, count));
    }
    int others = allNodes - nodes;
    int rank = node / nodes < region ? node : node - nodes;
    int first = before + Math.floorMod(rank - before, others);
    for (int i = first; i < count; i += others) {
      seconds.add((nowNanos - tokens.nanos[i]) / NANOS_PER_SECOND);
    }
    tokens.told[node] = (int) count;
  }

  /** How many seconds it took, for tokens that were told of; null if none was. */
  @Nullable
  Percentiles seconds() {
    return seconds.isEmpty() ? null : Percentiles.of(seconds);
  }

  /** The part of tokens that the node which was watched has never been told of. */
  double untold() {
    return accepted == 0 ? 0 : 1 - seconds.size() / (double) accepted;
  }
}
