package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.Component;
import io.tidegate.spi.RegionalCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The referee's model of a node: the least counts that the node must have in memory, from the
 * tokens it admitted and the messages it received, and the modes its series are in.
 */
final class NodeModel {

  private static final long NEVER = Long.MIN_VALUE / 2;

  private static final class Counts {

    private long own;
    private long peers;

    /** The sum over other regions that the origin has answered. */
    private long imported;

    /** The counts of other regions that the node has pulled itself. */
    private final Map<String, Long> pulled = new HashMap<>();

    private long receivedNanos = NEVER;

    /** The node does not know which regions a sum contains, so it uses the greater of the two. */
    long total() {
      long sum = pulled.values().stream().mapToLong(Long::longValue).sum();
      return own + peers + Math.max(imported, sum);
    }
  }

  private static final Counts NOTHING = new Counts();

  private static final class SeriesModel {

    private final Map<WindowCell, Counts> cells = new HashMap<>();
    private final Map<WindowCell, Long> enteredNanos = new HashMap<>();
    private int evictions;
    private long evictedNanos = NEVER;
    private long readFailedNanos = NEVER;
    private long strictUntilMillis = NEVER;

    /** Whether a decision since the clock was set back has moved the series, if it was ahead. */
    private boolean decidedSinceSetBack;

    /** Start of the cell that the series was last moved back to, or has decided in since then. */
    private long startMillis = NEVER;

    /** Tokens of cells of the future that the series took along when it was moved back. */
    private long carriedTokens;

    /** The times at which the series may have been moved back. */
    private final List<Long> movedBackMillis = new ArrayList<>();

    void remove() {
      cells.clear();
      readFailedNanos = NEVER;
      strictUntilMillis = NEVER;
    }
  }

  private final Node node;
  private final Map<Series, SeriesModel> models = new HashMap<>();
  private final Set<Series> requested = new HashSet<>();

  /** Highest time that the clock showed before it was set back. */
  private long highestMillis = NEVER;

  private long expiredSeries;
  private int expiries;

  NodeModel(Node node) {
    this.node = node;
  }

  private SeriesModel model(Series series) {
    return models.computeIfAbsent(series, fresh -> new SeriesModel());
  }

  private Counts counts(WindowCell cell) {
    return model(cell.series()).cells.computeIfAbsent(cell, fresh -> new Counts());
  }

  private Counts find(WindowCell cell) {
    return model(cell.series()).cells.getOrDefault(cell, NOTHING);
  }

  /** Number of the series' incarnation. Answers to messages of an earlier one have no effect. */
  int incarnation(Series series) {
    detectExpiry();
    return model(series).evictions + expiries;
  }

  /**
   * The limiter reports that series expired, but not which: nothing is expected to be in memory.
   */
  private void detectExpiry() {
    long now = node.limiter().stats().expiredSeries();
    if (now != expiredSeries) {
      expiredSeries = now;
      expiries++;
      models.values().forEach(SeriesModel::remove);
    }
  }

  void evicted(Series series) {
    SeriesModel model = model(series);
    model.evictedNanos = node.elapsedNanos();
    model.evictions++;
    model.remove();
  }

  long evictedNanos(Series series) {
    return model(series).evictedNanos;
  }

  void clockSetBack(long fromMillis) {
    highestMillis = Math.max(highestMillis, fromMillis);
    models.values().forEach(model -> model.decidedSinceSetBack = false);
  }

  long highestMillis() {
    return highestMillis;
  }

  boolean wasSetBack() {
    return highestMillis != NEVER;
  }

  /**
   * The node is about to decide on a series. This may move the series back, if its cell begins more
   * than a window after the time of the clock and of the request. The counts of all nodes in cells
   * of the future then weigh on the present cell, and the node has to receive other nodes' counts
   * of the present cell again.
   *
   * @param requestMillis time of the request, which may be from before the clock was set
   */
  void deciding(Series series, long requestMillis, GroundTruth truth) {
    requested.add(series);
    SeriesModel model = model(series);
    if (mayMoveBack(series, Math.max(requestMillis, node.millis()))) {
      evicted(series);
      model.movedBackMillis.add(node.millis());
      model.carriedTokens += truth.after(series, node.millis());
      model.startMillis = WindowCell.at(series, node.millis()).startMillis();
    }
    model.decidedSinceSetBack = wasSetBack();
  }

  /**
   * The node has decided in a cell. If the time of the request is from before the clock was set
   * back, the cell is ahead of the clock, and the next decision moves the series.
   */
  void decided(WindowCell cell) {
    SeriesModel model = model(cell.series());
    boolean ahead = cell.startMillis() - node.millis() > cell.series().scope().windowMillis();
    model.decidedSinceSetBack = wasSetBack() && !ahead;
    model.startMillis = cell.startMillis();
  }

  /** Number of series that the node has received requests for. */
  int requestedSeries() {
    return requested.size();
  }

  private boolean mayMoveBack(Series series) {
    return mayMoveBack(series, node.millis());
  }

  private boolean mayMoveBack(Series series, long millis) {
    return wasSetBack()
        && highestMillis - series.scope().windowMillis() > millis
        && !model(series).decidedSinceSetBack;
  }

  /**
   * Whether a cell lies ahead of a series that was moved back. The series keeps no counts of the
   * cell before it comes there: an answer only confirms what the node had counted in it.
   */
  private boolean isNotReached(WindowCell cell) {
    SeriesModel model = model(cell.series());
    return !model.movedBackMillis.isEmpty()
        && cell.startMillis() > Math.max(model.startMillis, node.millis());
  }

  /** Tokens of cells of the future that may weigh on a cell. */
  long carriedBack(WindowCell cell) {
    SeriesModel model = model(cell.series());
    long window = cell.series().scope().windowMillis();
    boolean near = model.movedBackMillis.stream()
        .map(moved -> cell.startMillis() - moved)
        .anyMatch(distance -> distance > -window && distance <= window);
    return near ? model.carriedTokens : 0;
  }

  void admitted(WindowCell cell, long tokens) {
    detectExpiry();
    counts(cell).own += tokens;
  }

  /** The node received an answer of its origin; returns whether a count is higher than before. */
  boolean received(WindowCell cell, RegionalCount answer) {
    model(cell.series()).readFailedNanos = NEVER;
    if (isNotReached(cell)) {
      return false;
    }
    Counts counts = counts(cell);
    counts.receivedNanos = node.elapsedNanos();
    if (mayMoveBack(cell.series())) {
      return false;
    }
    boolean higher = answer.peers() > counts.peers || answer.imported() > counts.imported;
    counts.peers = Math.max(counts.peers, answer.peers());
    counts.imported = Math.max(counts.imported, answer.imported());
    return higher;
  }

  /** Time at which the node last received an answer about a cell. */
  long receivedNanos(WindowCell cell) {
    return find(cell).receivedNanos;
  }

  /**
   * The node pulled the count of a region, its own or, for itself, another one; returns whether it
   * is higher. Of its own region it merges the counts of the series that it has.
   */
  boolean pulled(Component component) {
    detectExpiry();
    Series series = component.cell().series();
    boolean own = component.region().equals(node.region().name());
    if (mayMoveBack(series) || (own && model(series).cells.isEmpty())) {
      return false;
    }
    Counts counts = counts(component.cell());
    long before = counts.total();
    if (own) {
      counts.peers = Math.max(counts.peers, component.count() - counts.own);
    } else {
      counts.pulled.merge(component.region(), component.count(), Math::max);
    }
    return counts.total() > before;
  }

  void readFailed(Series series) {
    model(series).readFailedNanos = node.elapsedNanos();
  }

  /** Whether a read of the series failed so recently that requests must not wait for another. */
  boolean isReadFailed(Series series) {
    detectExpiry();
    return node.elapsedNanos() - model(series).readFailedNanos < TimeBounds.NO_WAIT;
  }

  /** The node decided in a cell. */
  void entered(WindowCell cell) {
    model(cell.series()).enteredNanos.putIfAbsent(cell, node.elapsedNanos());
  }

  /** Time of the first decision in a cell. */
  long enteredNanos(WindowCell cell) {
    return model(cell.series()).enteredNanos.getOrDefault(cell, Long.MAX_VALUE);
  }

  void denied(Series series, long strictUntilMillis) {
    SeriesModel model = model(series);
    model.strictUntilMillis = Math.max(model.strictUntilMillis, strictUntilMillis);
  }

  boolean isStrict(Series series, long nowMillis) {
    detectExpiry();
    return nowMillis < model(series).strictUntilMillis;
  }

  /** The least effective count that the node must have. */
  long effective(WindowCell cell, long nowMillis) {
    detectExpiry();
    long current = find(cell).total();
    long previous = find(cell.previous()).total();
    return GroundTruth.effective(cell, current, previous, nowMillis);
  }
}
