package io.tidegate.simulator.world;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.model.WindowRules;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a region: the count of each writer in each cell, as the Redis adapter stores it. It
 * has one or more parts, like the masters of a Redis cluster; each series is stored in one of them.
 */
public final class OriginServer {

  /** Interval at which expired cells are deleted; frequent enough to bound memory. */
  private static final int WRITES_PER_SWEEP = 100_000;

  /**
   * A cell and its counts by writer. There are few writers, at most as many as the region has
   * nodes, so a linear search is fast. The object is its own key in the map, because a separate key
   * would cost two more cache misses per lookup.
   */
  private static final class Counts {

    private String identifier;
    private Scope scope;
    private long sequence;
    private String[] writers = new String[4];
    private long[] parts = new long[4];
    private int size;
    private long total;
    private long expiresAtNanos;

    Counts(WindowCell cell) {
      setKey(cell);
    }

    /** Makes this object equal to the counts of a cell. */
    private Counts setKey(WindowCell cell) {
      identifier = cell.series().identifier();
      scope = cell.series().scope();
      sequence = cell.sequence();
      return this;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Counts counts
          && sequence == counts.sequence
          && identifier.equals(counts.identifier)
          && scope.equals(counts.scope);
    }

    @Override
    public int hashCode() {
      return 31 * identifier.hashCode() + Long.hashCode(sequence);
    }

    /** The index of a writer, or the one at which it would be added. */
    int find(String writer) {
      int at = 0;
      while (at < size && !writers[at].equals(writer)) {
        at++;
      }
      return at;
    }

    long part(String writer) {
      int at = find(writer);
      return at == size ? 0 : parts[at];
    }

    void raise(String writer, long count) {
      int at = find(writer);
      if (at == writers.length) {
        writers = Arrays.copyOf(writers, 2 * size);
        parts = Arrays.copyOf(parts, 2 * size);
      }
      if (at == size) {
        writers[size++] = writer;
      }
      total += count - parts[at];
      parts[at] = count;
    }
  }

  private final Timeline timeline;
  private final List<Service> parts = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Map<Counts, Counts> cells = new HashMap<>();

  /** The key of the current lookup, reused to avoid allocation. */
  private @Nullable Counts wanted;

  private long reads;
  private long writes;

  OriginServer(Timeline timeline, int parts) {
    this.timeline = timeline;
    for (int i = 0; i < parts; i++) {
      this.parts.add(new Service(timeline));
      this.names.add("part-" + i);
    }
  }

  public int parts() {
    return parts.size();
  }

  /** The number of the part that stores a series. */
  public int part(Series series) {
    // The low bits of the hashes of "user_1", "user_2", ... alternate.
    return parts.size() == 1
        ? 0
        : Math.floorMod((series.identifier().hashCode() * 0x9E3779B9) >> 8, parts.size());
  }

  String partName(Series series) {
    return names.get(part(series));
  }

  public Service service(int part) {
    return parts.get(part);
  }

  RegionalCount read(String writer, WindowCell cell) {
    reads++;
    return count(writer, find(cell));
  }

  /** Raises a count and returns the counts from before. */
  RegionalCount raise(OwnCount own) {
    if (++writes % WRITES_PER_SWEEP == 0) {
      cells.values().removeIf(counts -> counts.expiresAtNanos <= timeline.nowNanos());
    }
    String writer = own.writer().name();
    Counts counts = find(own.cell());
    RegionalCount before = count(writer, counts);
    if (counts == null) {
      counts = new Counts(own.cell());
      cells.put(counts, counts);
    }
    long windowMillis = own.cell().series().scope().windowMillis();
    counts.expiresAtNanos =
        timeline.nowNanos() + WindowRules.CELL_LIFETIME_WINDOWS * windowMillis * 1_000_000;
    if (own.count() > before.ownPart()) {
      counts.raise(writer, own.count());
    }
    return before;
  }

  /** Loses all cells, like a restart without persistence. */
  public void wipe() {
    cells.clear();
  }

  /**
   * Loses one random cell, like a Redis that evicts keys when its memory is full.
   *
   * @return the cell; null if the origin has none
   */
  public @Nullable WindowCell loseOneCell(Random random) {
    cells.values().removeIf(counts -> counts.expiresAtNanos <= timeline.nowNanos());
    if (cells.isEmpty()) {
      return null;
    }
    List<Counts> all = new ArrayList<>(cells.values());
    all.sort(Comparator.<Counts, String>comparing(counts -> counts.identifier)
        .thenComparing(counts -> counts.scope.windowMillis())
        .thenComparing(counts -> counts.sequence)); // the map has no defined order
    Counts lost = all.get(random.nextInt(all.size()));
    cells.remove(lost);
    return new WindowCell(new Series(lost.scope, lost.identifier), lost.sequence);
  }

  /** The count of a cell over all writers. */
  public long total(WindowCell cell) {
    Counts counts = find(cell);
    return counts == null ? 0 : counts.total;
  }

  /** The count of each writer in a cell. */
  public Map<String, Long> byWriter(WindowCell cell) {
    Counts counts = find(cell);
    Map<String, Long> byWriter = new TreeMap<>();
    for (int i = 0; counts != null && i < counts.size; i++) {
      byWriter.put(counts.writers[i], counts.parts[i]);
    }
    return byWriter;
  }

  /** Total number of cells read and counts written. */
  public long commands() {
    return reads + writes;
  }

  /** Total number of counts written. */
  public long writes() {
    return writes;
  }

  /** Number of cells in memory, including expired ones. */
  int cellsInMemory() {
    return cells.size();
  }

  private @Nullable Counts find(WindowCell cell) {
    wanted = wanted == null ? new Counts(cell) : wanted.setKey(cell);
    Counts counts = cells.get(wanted);
    if (counts != null && counts.expiresAtNanos <= timeline.nowNanos()) {
      cells.remove(counts);
      return null;
    }
    return counts;
  }

  private static RegionalCount count(String writer, @Nullable Counts counts) {
    return counts == null
        ? new RegionalCount(0, 0)
        : new RegionalCount(counts.total, counts.part(writer));
  }
}
