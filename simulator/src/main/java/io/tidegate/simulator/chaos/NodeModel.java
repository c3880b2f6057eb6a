package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.Component;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a node has to know, at least: what it accepted and what it was told, since it last forgot a
 * series because it had to make room.
 */
final class NodeModel {

  private static final class Counts {

    private long own;
    private long peers;
    private final Map<String, Long> imported = new HashMap<>();

    long total() {
      return own + peers + imported.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private static final Counts NOTHING = new Counts();

  /** Tokens that were moved back to a time with their series. */
  private record Carried(long millis, long tokens) {}

  private final Node node;
  private final Map<WindowCell, Counts> cells = new HashMap<>();
  private final Map<Series, Integer> lives = new HashMap<>();
  private final Map<Series, Long> strictUntil = new HashMap<>();
  private final Map<Series, Long> failedNanos = new HashMap<>();
  private final Map<Series, Long> forgottenNanos = new HashMap<>();
  private final Map<WindowCell, Long> heardNanos = new HashMap<>();
  private final Map<WindowCell, Long> enteredNanos = new HashMap<>();

  /** What the clock showed when it was set back, at most. */
  private long highestMillis = Long.MIN_VALUE;

  /** The series that were decided on since then. */
  private final Set<Series> decidedSinceSetBack = new HashSet<>();

  private final Map<Series, Carried> carried = new HashMap<>();

  private long expired;
  private int expiries;

  NodeModel(Node node) {
    this.node = node;
  }

  /** Which life of a series this is: what was asked for in another is heard by nobody. */
  int life(Series series) {
    noticeExpiry();
    return lives.getOrDefault(series, 0) + expiries;
  }

  /** A series has expired, and nobody knows which: so nothing is taken for known. */
  private void noticeExpiry() {
    long now = node.limiter().stats().expiredSeries();
    if (now != expired) {
      expired = now;
      expiries++;
      cells.clear();
      strictUntil.clear();
      failedNanos.clear();
      heardNanos.clear();
    }
  }

  /** The node has forgotten a series, alive. */
  void forget(Series series, long nowNanos) {
    forgottenNanos.put(series, nowNanos);
    heardNanos.keySet().removeIf(cell -> cell.series().equals(series));
    lives.merge(series, 1, Integer::sum);
    cells.keySet().removeIf(cell -> cell.series().equals(series));
    strictUntil.remove(series);
    failedNanos.remove(series);
  }

  /** The clock of the node was set back, from this time. */
  void clockSetBack(long fromMillis) {
    highestMillis = Math.max(highestMillis, fromMillis);
    decidedSinceSetBack.clear();
  }

  /** What the clock of the node has shown, at most, when it was set back. */
  long highestMillis() {
    return highestMillis;
  }

  /** A series is about to be decided on. */
  void decides(Series series) {
    if (wasSetBack()) {
      decidedSinceSetBack.add(series);
    }
  }

  /**
   * The cell of a series may begin more than a window later, by a clock that was ahead. The node
   * moves it back: what it counted in cells of the future weighs on the present, and what it knew
   * of the present it has to hear again.
   *
   * @param ahead what was accepted anywhere in cells of the future
   */
  void movesBack(Series series, long ahead, long nowNanos) {
    Carried before = carried.get(series);
    forget(series, nowNanos);
    carried.put(series, new Carried(node.millis(), ahead + (before == null ? 0 : before.tokens)));
  }

  /** What may weigh on a cell though it was accepted in cells of the future. */
  long carried(WindowCell cell) {
    Carried moved = carried.get(cell.series());
    long window = cell.series().scope().windowMillis();
    return moved != null
            && cell.startMillis() > moved.millis - window
            && cell.startMillis() <= moved.millis + window
        ? moved.tokens
        : 0;
  }

  /** Whether a series may have to be moved back when it is decided on. */
  boolean mayBeMovedBack(Series series) {
    long window = series.scope().windowMillis();
    return wasSetBack()
        && highestMillis - window > node.millis()
        && !decidedSinceSetBack.contains(series);
  }

  void accept(WindowCell cell, long tokens) {
    noticeExpiry();
    counts(cell).own += tokens;
  }

  /** The other nodes of the region have counted so much; says whether that is news. */
  boolean hearPeers(WindowCell cell, long peers, long nowNanos) {
    failedNanos.remove(cell.series());
    heardNanos.put(cell, nowNanos);
    if (mayBeMovedBack(cell.series())) {
      return false;
    }
    Counts counts = counts(cell);
    boolean news = peers > counts.peers;
    counts.peers = Math.max(counts.peers, peers);
    return news;
  }

  /** A region has counted so much, its own or another; says whether that is news. */
  boolean hear(Component component) {
    noticeExpiry();
    if (mayBeMovedBack(component.cell().series())) {
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

  /** A read of a series has failed now: for a second, no request waits for another. */
  void failedToRead(Series series, long nanos) {
    failedNanos.put(series, nanos);
  }

  boolean isUnreadable(Series series, long nowNanos) {
    noticeExpiry();
    Long failed = failedNanos.get(series);
    return failed != null && nowNanos - failed < TimeBounds.FAILURE_REMEMBERED;
  }

  /** When the node last had to forget a series. */
  long forgottenNanos(Series series) {
    return forgottenNanos.getOrDefault(series, Long.MIN_VALUE / 2);
  }

  boolean wasSetBack() {
    return highestMillis != Long.MIN_VALUE;
  }

  /** When the node last heard what its peers counted in a cell. */
  long heardNanos(WindowCell cell) {
    return heardNanos.getOrDefault(cell, Long.MIN_VALUE / 2);
  }

  /** An answer belongs to a cell. */
  void enter(WindowCell cell, long nowNanos) {
    enteredNanos.putIfAbsent(cell, nowNanos);
  }

  /** Since when answers belong to a cell. */
  long enteredNanos(WindowCell cell) {
    return enteredNanos.getOrDefault(cell, Long.MAX_VALUE);
  }

  void denied(Series series, long untilMillis) {
    strictUntil.merge(series, untilMillis, Math::max);
  }

  boolean isStrict(Series series, long nowMillis) {
    noticeExpiry();
    return nowMillis < strictUntil.getOrDefault(series, Long.MIN_VALUE);
  }

  /** The least effective count that it can rightly reckon with. */
  long effective(Series series, long startMillis, long nowMillis) {
    noticeExpiry();
    WindowCell cell = WindowCell.at(series, startMillis);
    return GroundTruth.effective(
        cells.getOrDefault(cell, NOTHING).total(),
        cells.getOrDefault(cell.previous(), NOTHING).total(),
        startMillis,
        nowMillis,
        series.scope().windowMillis());
  }

  private Counts counts(WindowCell cell) {
    return cells.computeIfAbsent(cell, fresh -> new Counts());
  }
}
