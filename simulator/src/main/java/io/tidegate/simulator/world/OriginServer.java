package io.tidegate.simulator.world;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a region: the count of each writer in each cell, as the Redis adapter stores it. It
 * has one or more parts, like the masters of a Redis cluster; each series is stored in one of them.
 */
public final class OriginServer {

  /** Windows after its last write until a cell expires, as in the Redis adapter. */
  public static final int CELL_LIFETIME_WINDOWS = 3;

  /** Interval at which expired cells are deleted; frequent enough to bound memory. */
  private static final int WRITES_PER_SWEEP = 100_000;

  private static final RegionalCount NO_COUNT = new RegionalCount(0, 0);

  /** The counts of a cell. */
  private static final class Counts {

    private final Map<String, Long> byWriter = new HashMap<>();
    private long total;
    private long expiresAtNanos;
  }

  private final Timeline timeline;
  private final List<Service> parts = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Map<WindowCell, Counts> cells = new HashMap<>();
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
      deleteExpired();
    }
    String writer = own.writer().name();
    Counts counts = find(own.cell());
    RegionalCount before = count(writer, counts);
    if (counts == null) {
      counts = new Counts();
      cells.put(own.cell(), counts);
    }
    long windowNanos = own.cell().series().scope().windowMillis() * 1_000_000;
    counts.expiresAtNanos = timeline.nowNanos() + CELL_LIFETIME_WINDOWS * windowNanos;
    if (own.count() > before.ownPart()) {
      counts.byWriter.put(writer, own.count());
      counts.total += own.count() - before.ownPart();
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
    deleteExpired();
    if (cells.isEmpty()) {
      return null;
    }
    List<WindowCell> all = new ArrayList<>(cells.keySet());
    all.sort(Comparator.<WindowCell, String>comparing(cell -> cell.series().identifier())
        .thenComparing(cell -> cell.series().scope().windowMillis())
        .thenComparing(WindowCell::sequence)); // the map has no defined order
    WindowCell lost = all.get(random.nextInt(all.size()));
    cells.remove(lost);
    return lost;
  }

  /** The count of a cell over all writers. */
  public long total(WindowCell cell) {
    Counts counts = find(cell);
    return counts == null ? 0 : counts.total;
  }

  /** The count of each writer in a cell. */
  public Map<String, Long> byWriter(WindowCell cell) {
    Counts counts = find(cell);
    return counts == null ? Map.of() : Map.copyOf(counts.byWriter);
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

  private void deleteExpired() {
    cells.values().removeIf(counts -> counts.expiresAtNanos <= timeline.nowNanos());
  }

  private @Nullable Counts find(WindowCell cell) {
    Counts counts = cells.get(cell);
    if (counts != null && counts.expiresAtNanos <= timeline.nowNanos()) {
      cells.remove(cell);
      return null;
    }
    return counts;
  }

  private static RegionalCount count(String writer, @Nullable Counts counts) {
    return counts == null
        ? NO_COUNT
        : new RegionalCount(counts.total, counts.byWriter.getOrDefault(writer, 0L));
  }
}
