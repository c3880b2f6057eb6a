package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;

/** What was accepted, anywhere: what nobody in the world knows, and everybody tries to. */
final class GroundTruth {

  /** Tokens that a node accepted at a time. */
  private record Acceptance(long nanos, Node node, long tokens) {}

  private static final class Cell {

    private final List<Acceptance> acceptances = new ArrayList<>();
    private final Map<Node, Long> byNode = new LinkedHashMap<>();
    private long total;
  }

  private static final Cell NOTHING = new Cell();

  private final Map<WindowCell, Cell> cells = new LinkedHashMap<>();

  void accept(WindowCell cell, Node node, long tokens, long nanos) {
    Cell counted = cells.computeIfAbsent(cell, fresh -> new Cell());
    counted.acceptances.add(new Acceptance(nanos, node, tokens));
    counted.byNode.merge(node, tokens, Long::sum);
    counted.total += tokens;
  }

  /** The cells in which something was accepted. */
  List<WindowCell> cells() {
    return List.copyOf(cells.keySet());
  }

  /** What was accepted in the cells of a series that begin after a time. */
  long after(Series series, long millis) {
    long sum = 0;
    for (Map.Entry<WindowCell, Cell> entry : cells.entrySet()) {
      if (entry.getKey().startMillis() > millis && entry.getKey().series().equals(series)) {
        sum += entry.getValue().total;
      }
    }
    return sum;
  }

  long total(WindowCell cell) {
    return find(cell).total;
  }

  long ofNode(WindowCell cell, Node node) {
    return find(cell).byNode.getOrDefault(node, 0L);
  }

  long ofNodes(WindowCell cell, Predicate<Node> which) {
    return sumOfNodes(cell, (node, accepted) -> which.test(node) ? accepted : 0);
  }

  /** The sum of something over all nodes that accepted anything in a cell. */
  long sumOfNodes(WindowCell cell, ToLongBiFunction<Node, Long> of) {
    long sum = 0;
    for (Map.Entry<Node, Long> entry : find(cell).byNode.entrySet()) {
      sum += of.applyAsLong(entry.getKey(), entry.getValue());
    }
    return sum;
  }

  /** When a node last accepted something in a cell; 0 if never. */
  long lastNanos(WindowCell cell, Node node) {
    List<Acceptance> acceptances = find(cell).acceptances;
    for (int i = acceptances.size() - 1; i >= 0; i--) {
      if (acceptances.get(i).node == node) {
        return acceptances.get(i).nanos;
      }
    }
    return 0;
  }

  /** The tokens of a cell that some nodes accepted at a time or later. */
  long since(WindowCell cell, long nanos, Predicate<Node> which) {
    List<Acceptance> acceptances = find(cell).acceptances;
    long sum = 0;
    for (int i = acceptances.size() - 1; i >= 0 && acceptances.get(i).nanos >= nanos; i--) {
      sum += which.test(acceptances.get(i).node) ? acceptances.get(i).tokens : 0;
    }
    return sum;
  }

  /** The effective count of a series in a cell at a node's time, if all were known there. */
  long effective(Series series, long startMillis, long nowMillis) {
    WindowCell cell = WindowCell.at(series, startMillis);
    return effective(
        total(cell),
        total(cell.previous()),
        startMillis,
        nowMillis,
        series.scope().windowMillis());
  }

  static long effective(
      long current, long previous, long startMillis, long nowMillis, long windowMillis) {
    long overlap = Math.min(windowMillis, startMillis + windowMillis - nowMillis);
    return current + previous * overlap / windowMillis;
  }

  private Cell find(WindowCell cell) {
    return cells.getOrDefault(cell, NOTHING);
  }
}
