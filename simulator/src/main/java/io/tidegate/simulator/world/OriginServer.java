package io.tidegate.simulator.world;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.model.WindowRules;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.Registration;
import java.util.ArrayList;
import java.util.Collections;
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

  private static final class Counts {

    private final Map<String, Long> byWriter = new TreeMap<>();
    private long total;
    private long expiresAtNanos;

    RegionalCount of(String writer) {
      return new RegionalCount(total, byWriter.getOrDefault(writer, 0L));
    }
  }

  private static final Counts NONE = new Counts();

  private final Timeline timeline;
  private final List<Service> parts = new ArrayList<>();
  private final Map<WindowCell, Counts> cells = new HashMap<>();

  /** The end of the registration of each node. */
  private final Map<String, Long> nodes = new HashMap<>();

  private long reads;
  private long raisedByReads;
  private long writes;

  OriginServer(Timeline timeline, int parts) {
    this.timeline = timeline;
    for (int i = 0; i < parts; i++) {
      this.parts.add(new Service(timeline));
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

  public Service service(int part) {
    return parts.get(part);
  }

  /** Lets all parts answer calls without delay again. */
  public void heal() {
    parts.forEach(Service::heal);
  }

  /** Raises a count, unless it is 0, and returns the counts from before. */
  RegionalCount read(OwnCount own) {
    if (own.count() > 0) {
      raisedByReads++;
      return raise(own);
    }
    reads++;
    return find(own.cell()).of(own.writer().name());
  }

  /** Raises a count and returns the counts from before. */
  RegionalCount raise(OwnCount own) {
    if (++writes % WRITES_PER_SWEEP == 0) {
      deleteExpired();
    }
    String writer = own.writer().name();
    RegionalCount before = find(own.cell()).of(writer);
    Counts counts = cells.computeIfAbsent(own.cell(), cell -> new Counts());
    long windowMillis = own.cell().series().scope().windowMillis();
    counts.expiresAtNanos =
        timeline.nowNanos() + WindowRules.CELL_LIFETIME_WINDOWS * windowMillis * 1_000_000;
    if (own.count() > before.ownPart()) {
      counts.byWriter.put(writer, own.count());
      counts.total += own.count() - before.ownPart();
    }
    return before;
  }

  LiveNodes register(Registration registration) {
    long now = timeline.nowNanos();
    nodes.put(registration.node(), now + registration.lifetime().toNanos());
    nodes.values().removeIf(endNanos -> endNanos <= now);
    return new LiveNodes(nodes.size());
  }

  private void deleteExpired() {
    cells.values().removeIf(counts -> counts.expiresAtNanos <= timeline.nowNanos());
  }

  /** Loses all cells and nodes, like a restart without persistence. */
  public void wipe() {
    cells.clear();
    nodes.clear();
  }

  /** Loses and returns a random cell, if there is one, like a full Redis that evicts keys. */
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
    return find(cell).total;
  }

  /** The count of each writer in a cell. */
  public Map<String, Long> byWriter(WindowCell cell) {
    return Collections.unmodifiableMap(find(cell).byWriter);
  }

  /** Total number of cells read and counts written. */
  public long commands() {
    return reads + writes;
  }

  /** Total number of counts written by reads of series with unconfirmed counts. */
  public long raisedByReads() {
    return raisedByReads;
  }

  /** Total number of counts written. */
  public long writes() {
    return writes;
  }

  /** Number of cells in memory, including expired ones. */
  int cellsInMemory() {
    return cells.size();
  }

  private Counts find(WindowCell cell) {
    Counts counts = cells.getOrDefault(cell, NONE);
    if (counts.expiresAtNanos <= timeline.nowNanos()) {
      cells.remove(cell);
      return NONE;
    }
    return counts;
  }
}
