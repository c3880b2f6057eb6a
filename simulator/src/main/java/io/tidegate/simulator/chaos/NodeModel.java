package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.Component;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The referee's model of a node: the least counts that the node must have in memory, from the
 * tokens it admitted and the messages it received, and the modes its series are in.
 */
final class NodeModel {

  private static final long NEVER = Long.MIN_VALUE / 2;

  private static final class Counts {

    private long own;
    private long peers;
    private final Map<String, Long> imported = new HashMap<>();
    private long receivedNanos = NEVER;

    long total() {
      return own + peers + imported.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private static final Counts NOTHING = new Counts();

  /** Tokens counted in cells of the future, which a series took along when it was moved back. */
  private record CarriedBack(long millis, long tokens) {}

  private static final CarriedBack NOTHING_CARRIED = new CarriedBack(0, 0);

  private final Node node;
  private final Map<WindowCell, Counts> cells = new HashMap<>();
  private final Map<Series, Integer> evictions = new HashMap<>();
  private final Map<Series, Long> strictUntil = new HashMap<>();
  private final Map<Series, Long> readFailedNanos = new HashMap<>();
  private final Map<Series, Long> evictedNanos = new HashMap<>();
  private final Map<WindowCell, Long> enteredNanos = new HashMap<>();

  /** Highest time that the clock showed before it was set back. */
  private long highestMillis = Long.MIN_VALUE;

  private final Set<Series> decidedSinceSetBack = new HashSet<>();
  private final Map<Series, CarriedBack> carriedBack = new HashMap<>();

  private long expiredSeries;
  private int expiries;

  NodeModel(Node node) {
    this.node = node;
  }

  /** Number of the series' incarnation. Answers to messages of an earlier one have no effect. */
  int incarnation(Series series) {
    detectExpiry();
    return evictions.getOrDefault(series, 0) + expiries;
  }

  /**
   * The limiter reports that series expired, but not which: nothing is expected to be in memory.
   */
  private void detectExpiry() {
    long now = node.limiter().stats().expiredSeries();
    if (now != expiredSeries) {
      expiredSeries = now;
      expiries++;
      remove(series -> true);
    }
  }

  private void remove(Predicate<Series> which) {
    cells.keySet().removeIf(cell -> which.test(cell.series()));
    strictUntil.keySet().removeIf(which);
    readFailedNanos.keySet().removeIf(which);
  }

  void evicted(Series series) {
    evictedNanos.put(series, node.elapsedNanos());
    evictions.merge(series, 1, Integer::sum);
    remove(series::equals);
  }

  void clockSetBack(long fromMillis) {
    highestMillis = Math.max(highestMillis, fromMillis);
    decidedSinceSetBack.clear();
  }

  long highestMillis() {
    return highestMillis;
  }

  boolean wasSetBack() {
    return highestMillis != Long.MIN_VALUE;
  }

  /** The node is about to decide on a series. */
  void deciding(Series series) {
    if (wasSetBack()) {
      decidedSinceSetBack.add(series);
    }
  }

  /** Whether the next decision on a series may move it back from a cell of the future. */
  boolean mayMoveBack(Series series) {
    return wasSetBack()
        && highestMillis - series.scope().windowMillis() > node.millis()
        && !decidedSinceSetBack.contains(series);
  }

  /**
   * A series may be moved back because its cell begins more than a window after the time of the
   * clock. The counts of all nodes in cells of the future then weigh on the present cell, and the
   * node has to receive other nodes' counts of the present cell again.
   */
  void movedBack(Series series, GroundTruth truth) {
    long before = carriedBack.getOrDefault(series, NOTHING_CARRIED).tokens;
    evicted(series);
    long now = node.millis();
    carriedBack.put(series, new CarriedBack(now, truth.after(series, now) + before));
  }

  /** Tokens of cells of the future that may weigh on a cell. */
  long carriedBack(WindowCell cell) {
    CarriedBack moved = carriedBack.getOrDefault(cell.series(), NOTHING_CARRIED);
    long window = cell.series().scope().windowMillis();
    long distance = cell.startMillis() - moved.millis;
    return distance > -window && distance <= window ? moved.tokens : 0;
  }

  void admitted(WindowCell cell, long tokens) {
    detectExpiry();
    counts(cell).own += tokens;
  }

  /** The node received its peers' count; returns whether the count is higher than before. */
  boolean receivedPeers(WindowCell cell, long peers) {
    readFailedNanos.remove(cell.series());
    Counts counts = counts(cell);
    counts.receivedNanos = node.elapsedNanos();
    boolean higher = peers > counts.peers && !mayMoveBack(cell.series());
    counts.peers = higher ? peers : counts.peers;
    return higher;
  }

  /** The node pulled the count of a region, its own or another; returns whether it is higher. */
  boolean pulled(Component component) {
    detectExpiry();
    if (mayMoveBack(component.cell().series())) {
      return false;
    }
    Counts counts = counts(component.cell());
    long before = counts.total();
    if (component.region().equals(node.region().name())) {
      counts.peers = Math.max(counts.peers, component.count() - counts.own);
    } else {
      counts.imported.merge(component.region(), component.count(), Math::max);
    }
    return counts.total() > before;
  }

  void readFailed(Series series) {
    readFailedNanos.put(series, node.elapsedNanos());
  }

  /** Whether a read of the series failed so recently that requests must not wait for another. */
  boolean isReadFailed(Series series) {
    detectExpiry();
    long failedNanos = readFailedNanos.getOrDefault(series, NEVER);
    return node.elapsedNanos() - failedNanos < TimeBounds.NO_WAIT;
  }

  /** Time of the last eviction of a series. */
  long evictedNanos(Series series) {
    return evictedNanos.getOrDefault(series, NEVER);
  }

  /** Time at which the node last received its peers' count of a cell. */
  long receivedNanos(WindowCell cell) {
    return cells.getOrDefault(cell, NOTHING).receivedNanos;
  }

  /** The node decided in a cell. */
  void entered(WindowCell cell) {
    enteredNanos.putIfAbsent(cell, node.elapsedNanos());
  }

  /** Time of the first decision in a cell. */
  long enteredNanos(WindowCell cell) {
    return enteredNanos.getOrDefault(cell, Long.MAX_VALUE);
  }

  void denied(Series series, long strictUntilMillis) {
    strictUntil.merge(series, strictUntilMillis, Math::max);
  }

  boolean isStrict(Series series, long nowMillis) {
    detectExpiry();
    return nowMillis < strictUntil.getOrDefault(series, Long.MIN_VALUE);
  }

  /** The least effective count that the node must have. */
  long effective(WindowCell cell, long nowMillis) {
    detectExpiry();
    long current = cells.getOrDefault(cell, NOTHING).total();
    long previous = cells.getOrDefault(cell.previous(), NOTHING).total();
    return GroundTruth.effective(cell, current, previous, nowMillis);
  }

  private Counts counts(WindowCell cell) {
    return cells.computeIfAbsent(cell, fresh -> new Counts());
  }
}
