package io.tidegate.simulator.world;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The database shared by all regions. It has a row per cell and region, whose count only grows. The
 * update time of a row is the time at which the statement that raised it began, as in SQL.
 */
public final class DatabaseServer {

  /** Longest time over which {@link #loseCommitsSince} can reach back. */
  private static final long UNDO_NANOS = 10_000_000_000L;

  /** Interval at which expired rows are deleted; frequent enough to bound memory. */
  private static final int WRITES_PER_SWEEP = 100_000;

  private record Key(String region, WindowCell cell) {}

  /** The order of changes: the time of the statement, then the order of the commits. */
  private record Version(long millis, long commit) {

    private static final Comparator<Version> ORDER =
        Comparator.comparingLong(Version::millis).thenComparingLong(Version::commit);
  }

  private record Row(Component component, Version version) {

    boolean isLive(long nowMillis) {
      return component.cell().expiresAtMillis() > nowMillis;
    }
  }

  /** A row before a commit; null if the commit inserted it. */
  private record Undo(long nanos, Key key, @Nullable Row row) {}

  private final Timeline timeline;
  private final Service service;
  private final Map<Key, Row> rows = new HashMap<>();
  private final NavigableMap<Version, Row> byVersion = new TreeMap<>(Version.ORDER);
  private final Deque<Undo> undo = new ArrayDeque<>();
  private long commits;
  private long written;
  private long read;

  DatabaseServer(Timeline timeline) {
    this.timeline = timeline;
    this.service = new Service(timeline);
  }

  public Service service() {
    return service;
  }

  /** Raises rows in one transaction, which began at the given time and commits now. */
  void upsert(List<Component> components, long beganNanos) {
    components.forEach(component -> raise(component, millis(beganNanos)));
  }

  private void raise(Component component, long millis) {
    if (++written % WRITES_PER_SWEEP == 0) {
      deleteExpired();
    }
    Key key = new Key(component.region(), component.cell());
    Row row = rows.get(key);
    recordUndo(key, row);
    if (row == null || component.count() > row.component.count()) { // else pulls do not read it
      replace(key, component, millis);
    }
  }

  private void replace(Key key, Component component, long millis) {
    Row row = new Row(component, new Version(millis, commits++));
    Row before = rows.put(key, row);
    if (before != null) {
      byVersion.remove(before.version);
    }
    byVersion.put(row.version, row);
  }

  private void recordUndo(Key key, @Nullable Row row) {
    long now = timeline.nowNanos();
    undo.addLast(new Undo(now, key, row));
    while (undo.getFirst().nanos < now - UNDO_NANOS) {
      undo.removeFirst();
    }
  }

  /** Fails over to a replica that has none of the commits since the given time. */
  public void loseCommitsSince(long nanos) {
    while (!undo.isEmpty() && undo.getLast().nanos >= nanos) {
      Undo last = undo.removeLast();
      Row row = rows.get(last.key);
      if (row == null) {
        continue; // expired and deleted
      }
      if (last.row == null) {
        rows.remove(last.key);
        byVersion.remove(row.version);
      } else {
        replace(last.key, last.row.component, last.row.version.millis);
      }
    }
  }

  /** Update time of the newest row; 0 if there is none. */
  long newestMillis() {
    return byVersion.isEmpty() ? 0 : byVersion.lastKey().millis;
  }

  /**
   * The rows of some regions that were changed at the given time or later and have not expired,
   * oldest first.
   */
  List<Component> changedSince(long millis, long nowMillis, Predicate<String> regions) {
    List<Component> changed = byVersion.tailMap(new Version(millis, 0), true).values().stream()
        .filter(row -> regions.test(row.component.region()) && row.isLive(nowMillis))
        .map(Row::component)
        .toList();
    read += changed.size();
    return changed;
  }

  /** The rows of a cell. */
  List<Component> components(WindowCell cell) {
    return rows.values().stream()
        .map(Row::component)
        .filter(component -> component.cell().equals(cell))
        .toList();
  }

  private void deleteExpired() {
    long nowMillis = millis(timeline.nowNanos());
    rows.values().removeIf(row -> !row.isLive(nowMillis));
    byVersion.values().removeIf(row -> !row.isLive(nowMillis));
  }

  private static long millis(long nanos) {
    return Node.EPOCH_MILLIS + nanos / 1_000_000;
  }

  /** The count that a region has pushed of a cell. */
  public long count(String region, WindowCell cell) {
    Row row = rows.get(new Key(region, cell));
    return row == null ? 0 : row.component.count();
  }

  /** Number of rows that have not expired. */
  public long liveRows() {
    long nowMillis = millis(timeline.nowNanos());
    return rows.values().stream().filter(row -> row.isLive(nowMillis)).count();
  }

  /** Number of rows in memory, including expired ones. */
  int rowsInMemory() {
    return rows.size();
  }

  public long written() {
    return written;
  }

  public long read() {
    return read;
  }
}
