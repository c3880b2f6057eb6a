package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.Component;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;

/** All admitted tokens by cell, node and time: the counts that one perfect counter would have. */
final class GroundTruth {

  private record Admission(long nanos, Node node, long tokens) {}

  private static final class Cell {

    private final List<Admission> admissions = new ArrayList<>();
    private final Map<Node, Long> byNode = new LinkedHashMap<>();
    private long total;
  }

  private static final Cell EMPTY = new Cell();

  private final Map<WindowCell, Cell> cells = new LinkedHashMap<>();

  private record RegionOfCell(String region, WindowCell cell) {}

  /** The highest count that each region has sent to the database. */
  private final Map<RegionOfCell, Long> sent = new HashMap<>();

  /** The highest count that the database has confirmed to a region, by the time of the answer. */
  private final Map<RegionOfCell, NavigableMap<Long, Long>> pushed = new HashMap<>();

  void admit(WindowCell cell, Node node, long tokens, long nanos) {
    Cell counted = cells.computeIfAbsent(cell, fresh -> new Cell());
    counted.admissions.add(new Admission(nanos, node, tokens));
    counted.byNode.merge(node, tokens, Long::sum);
    counted.total += tokens;
  }

  /** A node sends a count of its region to the database. */
  void sent(Component component) {
    RegionOfCell key = new RegionOfCell(component.region(), component.cell());
    sent.merge(key, component.count(), Math::max);
  }

  /** The highest count of a cell that a region has sent to the database. */
  long sentOf(String region, WindowCell cell) {
    return sent.getOrDefault(new RegionOfCell(region, cell), 0L);
  }

  /** The database has confirmed a count of a region. */
  void pushed(Component component, long nanos) {
    RegionOfCell key = new RegionOfCell(component.region(), component.cell());
    if (component.count() > pushedBefore(key.region, key.cell, Long.MAX_VALUE)) {
      pushed.computeIfAbsent(key, none -> new TreeMap<>()).put(nanos, component.count());
    }
  }

  /** The highest count of a cell that a region has pushed before a time. */
  long pushedBefore(String region, WindowCell cell, long nanos) {
    return pushedBetween(region, cell, Long.MIN_VALUE, nanos);
  }

  /** The same, if the push was not before another time; otherwise 0. */
  long pushedBetween(String region, WindowCell cell, long fromNanos, long untilNanos) {
    NavigableMap<Long, Long> counts = pushed.get(new RegionOfCell(region, cell));
    Map.Entry<Long, Long> last = counts == null ? null : counts.lowerEntry(untilNanos);
    return last == null || last.getKey() < fromNanos ? 0 : last.getValue();
  }

  /** The cells with admitted tokens. */
  List<WindowCell> cells() {
    return List.copyOf(cells.keySet());
  }

  /** Tokens admitted in cells of a series that begin after the given time. */
  long after(Series series, long millis) {
    return cells.entrySet().stream()
        .filter(entry -> entry.getKey().startMillis() > millis)
        .filter(entry -> entry.getKey().series().equals(series))
        .mapToLong(entry -> entry.getValue().total)
        .sum();
  }

  long ofNode(WindowCell cell, Node node) {
    return find(cell).byNode.getOrDefault(node, 0L);
  }

  long ofRegion(WindowCell cell, String region) {
    return sum(cell, (node, admitted) -> node.region().name().equals(region) ? admitted : 0);
  }

  /** Sum of a function over all nodes that admitted tokens in a cell. */
  long sum(WindowCell cell, ToLongBiFunction<Node, Long> of) {
    return find(cell).byNode.entrySet().stream()
        .mapToLong(entry -> of.applyAsLong(entry.getKey(), entry.getValue()))
        .sum();
  }

  /** Time of the last admission of some nodes in a cell; 0 if there is none. */
  long lastNanos(WindowCell cell, Predicate<Node> which) {
    return find(cell).admissions.stream()
        .filter(admission -> which.test(admission.node))
        .mapToLong(Admission::nanos)
        .max()
        .orElse(0);
  }

  /** Tokens of a cell that some nodes admitted at the given time or later. */
  long since(WindowCell cell, long nanos, Predicate<Node> which) {
    List<Admission> admissions = find(cell).admissions;
    long sum = 0;
    for (int i = admissions.size() - 1; i >= 0 && admissions.get(i).nanos >= nanos; i--) {
      sum += which.test(admissions.get(i).node) ? admissions.get(i).tokens : 0;
    }
    return sum;
  }

  /** The true effective count in a cell, at a time of a node's clock. */
  long effective(WindowCell cell, long nowMillis) {
    return effective(cell, find(cell).total, find(cell.previous()).total, nowMillis);
  }

  /** The effective count: the current cell, and the previous one by its overlap. Rounded down. */
  static long effective(WindowCell cell, long current, long previous, long nowMillis) {
    long window = cell.series().scope().windowMillis();
    long overlap = Math.min(window, cell.startMillis() + window - nowMillis);
    return current + previous * overlap / window;
  }

  private Cell find(WindowCell cell) {
    return cells.getOrDefault(cell, EMPTY);
  }
}
