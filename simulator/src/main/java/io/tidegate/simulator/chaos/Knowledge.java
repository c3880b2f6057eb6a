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
final class Knowledge {

  private static final class Counts {

    private long own;
    private long peers;
    private final Map<String, Long> imported = new HashMap<>();

    long total() {
      return own + peers + imported.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private static final Counts NOTHING = new Counts();

  private final Node node;
  private final Map<WindowCell, Counts> cells = new HashMap<>();
  private final Map<Series, Integer> lives = new HashMap<>();
  private final Map<Series, Long> strictUntil = new HashMap<>();
  private final Set<Series> unreadable = new HashSet<>();
  private long expired;
  private int expiries;

  Knowledge(Node node) {
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
      unreadable.clear();
    }
  }

  /** The node has forgotten a series, alive. */
  void forget(Series series) {
    lives.merge(series, 1, Integer::sum);
    cells.keySet().removeIf(cell -> cell.series().equals(series));
    strictUntil.remove(series);
    unreadable.remove(series);
  }

  void accept(WindowCell cell, long tokens) {
    noticeExpiry();
    counts(cell).own += tokens;
  }

  /** The other nodes of the region have counted so much; says whether that is news. */
  boolean hearPeers(WindowCell cell, long peers) {
    unreadable.remove(cell.series());
    Counts counts = counts(cell);
    boolean news = peers > counts.peers;
    counts.peers = Math.max(counts.peers, peers);
    return news;
  }

  /** A region has counted so much, its own or another; says whether that is news. */
  boolean hear(Component component) {
    noticeExpiry();
    Counts counts = counts(component.cell());
    long before = counts.total();
    if (component.region().equals(node.region().name())) {
      counts.peers = Math.max(counts.peers, component.count() - counts.own);
    } else {
      counts.imported.merge(component.region(), component.count(), Math::max);
    }
    return counts.total() > before;
  }

  /** A read of a series has failed: until one succeeds, nobody waits for another. */
  void failedToRead(Series series) {
    unreadable.add(series);
  }

  boolean isUnreadable(Series series) {
    noticeExpiry();
    return unreadable.contains(series);
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
    return Truth.effective(
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
