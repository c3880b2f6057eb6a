package io.tidegate.simulator.world;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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

  /** A row, linked to the rows that were changed before and after it. */
  private static final class Row {

    private final long expiresAtMillis;
    private Component component;
    private long updatedMillis;
    private @Nullable Row older;
    private @Nullable Row newer;

    Row(Component component) {
      this.component = component;
      this.expiresAtMillis = component.cell().expiresAtMillis();
    }
  }

  /** A row before a commit; the component is null if the commit inserted the row. */
  private record Undo(long nanos, Key key, @Nullable Component component, long updatedMillis) {}

  private final Timeline timeline;
  private final Service service;
  private final Map<Key, Row> rows = new HashMap<>();

  /** Head of the linked list of all rows. */
  private @Nullable Row newest;

  private final Deque<Undo> undo = new ArrayDeque<>();
  private boolean keepsUndo;
  private long written;
  private long read;

  DatabaseServer(Timeline timeline) {
    this.timeline = timeline;
    this.service = new Service(timeline);
  }

  public Service service() {
    return service;
  }

  /** Records commits from now on, as {@link #loseCommitsSince} requires. Takes memory. */
  public void keepUndo() {
    keepsUndo = true;
  }

  /** Raises rows in one transaction, which began at the given time and commits now. */
  void upsert(List<Component> components, long beganNanos) {
    long millis = millis(beganNanos);
    for (Component component : components) {
      raise(component, millis);
    }
  }

  private void raise(Component component, long millis) {
    if (++written % WRITES_PER_SWEEP == 0) {
      sweep();
    }
    Key key = new Key(component.region(), component.cell());
    Row row = rows.get(key);
    recordUndo(key, row);
    if (row == null) {
      row = new Row(component);
      rows.put(key, row);
    } else {
      if (component.count() <= row.component.count()) {
        return; // unchanged, so pulls do not read it again
      }
      row.component = component;
      unlink(row);
    }
    link(row, millis);
  }

  /** Inserts a row by its update time, which is almost always the newest. */
  private void link(Row row, long millis) {
    Row after = null;
    Row before = newest;
    while (before != null && before.updatedMillis > millis) {
      after = before;
      before = before.older;
    }
    row.updatedMillis = millis;
    join(before, row);
    join(row, after);
  }

  private void unlink(Row row) {
    join(row.older, row.newer);
  }

  private void join(@Nullable Row older, @Nullable Row newer) {
    if (older != null) {
      older.newer = newer;
    }
    if (newer != null) {
      newer.older = older;
    } else {
      newest = older;
    }
  }

  private void recordUndo(Key key, @Nullable Row row) {
    if (keepsUndo) {
      long now = timeline.nowNanos();
      undo.addLast(
          row == null
              ? new Undo(now, key, null, 0)
              : new Undo(now, key, row.component, row.updatedMillis));
      while (undo.getFirst().nanos < now - UNDO_NANOS) {
        undo.removeFirst();
      }
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
      unlink(row);
      if (last.component == null) {
        rows.remove(last.key);
      } else {
        row.component = last.component;
        link(row, last.updatedMillis);
      }
    }
  }

  /** Update time of the newest row; 0 if there is none. */
  long newestMillis() {
    return newest == null ? 0 : newest.updatedMillis;
  }

  /** The rows that were changed at the given time or later and have not expired, oldest first. */
  List<Component> changedSince(long millis, long nowMillis) {
    Row first = null;
    for (Row row = newest; row != null && row.updatedMillis >= millis; row = row.older) {
      first = row;
    }
    List<Component> changed = new ArrayList<>();
    for (Row row = first; row != null; row = row.newer) {
      if (row.expiresAtMillis > nowMillis) {
        changed.add(row.component);
      }
    }
    read += changed.size();
    return changed;
  }

  private void sweep() {
    long nowMillis = millis(timeline.nowNanos());
    Iterator<Row> all = rows.values().iterator();
    while (all.hasNext()) {
      Row row = all.next();
      if (row.expiresAtMillis <= nowMillis) {
        all.remove();
        unlink(row);
      }
    }
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
    return rows.values().stream().filter(row -> row.expiresAtMillis > nowMillis).count();
  }

  /** Number of rows in memory, including expired ones. */
  int rowsInMemory() {
    return rows.size();
  }

  /** Total number of rows written. */
  public long written() {
    return written;
  }

  /** Total number of rows read. */
  public long read() {
    return read;
  }
}
