package io.tidegate.simulator.chaos;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import java.util.HashMap;
import java.util.Map;

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
  private long expired;
  private int expiries;

  Knowledge(Node node) {
    this.node = node;
  }

  /** Which life of a series this is: what was asked for in another is heard by nobody. */
  int life(Series series) {
    long now = node.limiter().stats().expiredSeries();
    if (now != expired) { // of some series, nobody knows which: nothing is taken for known
      expired = now;
      expiries++;
      cells.clear();
      strictUntil.clear();
    }
    return lives.getOrDefault(series, 0) + expiries;
  }

  /** The node has forgotten a series, alive. */
  void forget(Series series) {
    lives.merge(series, 1, Integer::sum);
    cells.keySet().removeIf(cell -> cell.series().equals(series));
    strictUntil.remove(series);
  }

  void accept(WindowCell cell, long tokens) {
    life(cell.series());
    counts(cell).own += tokens;
  }

  void hearPeers(WindowCell cell, long peers) {
    Counts counts = counts(cell);
    counts.peers = Math.max(counts.peers, peers);
  }

  void hearOwnRegion(WindowCell cell, long count) {
    Counts counts = counts(cell);
    counts.peers = Math.max(counts.peers, count - counts.own);
  }

  void hearOtherRegion(WindowCell cell, String region, long count) {
    counts(cell).imported.merge(region, count, Math::max);
  }

  void denied(Series series, long untilMillis) {
    strictUntil.merge(series, untilMillis, Math::max);
  }

  boolean isStrict(Series series, long nowMillis) {
    life(series);
    return nowMillis < strictUntil.getOrDefault(series, Long.MIN_VALUE);
  }

  /** The least effective count that it can rightly reckon with. */
  long effective(Series series, long startMillis, long nowMillis) {
    life(series);
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
