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
 * The database of all regions: a row per cell and region, whose count is raised and never lowered,
 * and which bears the time at which the statement that raised it began.
 */
public final class DatabaseServer {

  /** How far back commits can be lost. */
  private static final long MEMORY_NANOS = 10_000_000_000L;

  /** How often rows that are over are looked for. */
  private static final int WRITES_PER_SWEEP = 100_000;

  private record Key(String region, WindowCell cell) {}

  /** A row, between those that were changed before and after it. */
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

  /** What a row was before a commit; the component is null if it was not there. */
  private record Undo(long nanos, Key key, Component component, long updatedMillis) {}

  private final Timeline timeline;
  private final Service service;
  private final Map<Key, Row> rows = new HashMap<>();

  /** The end of the chain of all rows. */
  private @Nullable Row newest;

  private final Deque<Undo> undo = new ArrayDeque<>();
  private boolean keepsUndo;
  private long written;
  private long read;
  private long statements;

  DatabaseServer(Timeline timeline) {
    this.timeline = timeline;
    this.service = new Service(timeline);
  }

  public Service service() {
    return service;
  }

  /** Lets {@link #loseCommitsSince} be called from now on, which takes memory. */
  public void keepUndo() {
    keepsUndo = true;
  }

  /** Raises rows in one transaction that has begun at a time and is committed now. */
  void upsert(List<Component> components, long beganNanos) {
    statements++;
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
    remember(key, row);
    if (row == null) {
      row = new Row(component);
      rows.put(key, row);
    } else {
      if (component.count() <= row.component.count()) {
        return; // and nobody reads it again
      }
      row.component = component;
      unlink(row);
    }
    link(row, millis);
  }

  /** Puts a row after all that were changed at the same time or before: hardly ever not last. */
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

  private void remember(Key key, Row row) {
    if (keepsUndo) {
      long now = timeline.nowNanos();
      undo.addLast(
          row == null
              ? new Undo(now, key, null, 0)
              : new Undo(now, key, row.component, row.updatedMillis));
      while (undo.peekFirst().nanos < now - MEMORY_NANOS) {
        undo.removeFirst();
      }
    }
  }

  /** Fails over to a server that has not heard of what was committed since a time. */
  public void loseCommitsSince(long nanos) {
    while (!undo.isEmpty() && undo.peekLast().nanos >= nanos) {
      Undo last = undo.removeLast();
      Row row = rows.get(last.key);
      if (row == null) {
        continue; // is over
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

  /** When the newest row was changed; 0 if there is none. */
  long newestMillis() {
    return newest == null ? 0 : newest.updatedMillis;
  }

  /** The rows that were changed at a time or later and are not over. */
  List<Component> changedSince(long millis, long nowMillis) {
    statements++;
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

  /** What a region has told of a cell. */
  public long count(String region, WindowCell cell) {
    Row row = rows.get(new Key(region, cell));
    return row == null ? 0 : row.component.count();
  }

  /** How many rows are not over. */
  public long liveRows() {
    long nowMillis = millis(timeline.nowNanos());
    return rows.values().stream().filter(row -> row.expiresAtMillis > nowMillis).count();
  }

  /** How many rows take memory, with those that are over. */
  int rowsInMemory() {
    return rows.size();
  }

  /** How many rows have been written so far. */
  public long written() {
    return written;
  }

  /** How many rows have been read so far. */
  public long read() {
    return read;
  }

  /** How many pushes and pulls there have been. */
  public long statements() {
    return statements;
  }
}
