package io.tidegate.simulator.world;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.model.WindowRules;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.Registration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a region: the count of each writer and the imported count of each other region in
 * each cell, as the Redis adapter stores them, the live nodes and the reader. It has one or more
 * parts, like the masters of a Redis cluster; each series is stored in one of them.
 */
public final class OriginServer {

  /** Interval at which expired cells are deleted; frequent enough to bound memory. */
  private static final int WRITES_PER_SWEEP = 100_000;

  private static final class Counts {

    private final Map<String, Long> byWriter = new TreeMap<>();
    private long total;

    /** Counts of other regions. */
    private final Map<String, Long> imports = new TreeMap<>();

    private long imported;

    /** The part of this region's count that is known to have been pushed. */
    private long pushed;

    private long expiresAtNanos;

    RegionalCount of(String writer) {
      long own = byWriter.getOrDefault(writer, 0L);
      return new RegionalCount(total, own, imported, imports.size(), pushed);
    }
  }

  /** The node that reads the global counters for its region, until its lease ends. */
  private record Lease(String node, long endNanos) {}

  private static final Counts NONE = new Counts();

  private final Timeline timeline;
  private final List<Service> parts = new ArrayList<>();
  private final Map<WindowCell, Counts> cells = new HashMap<>();

  /** The end of the registration of each node. */
  private final Map<String, Long> nodes = new HashMap<>();

  private @Nullable Lease lease;

  private long reads;
  private long raisedByReads;
  private long writes;
  private long stored;

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
    writes++;
    String writer = own.writer().name();
    RegionalCount before = find(own.cell()).of(writer);
    Counts counts = write(own.cell());
    if (own.count() > before.ownPart()) {
      counts.byWriter.put(writer, own.count());
      counts.total += own.count() - before.ownPart();
    }
    return before;
  }

  /** Raises the imported count of a cell, or its pushed count for a component of the region. */
  void store(String region, Component component) {
    stored++;
    find(component.cell()); // removes what has expired
    Counts counts = write(component.cell());
    long count = component.count();
    if (component.region().equals(region)) {
      counts.pushed = Math.max(counts.pushed, count);
      return;
    }
    long before = counts.imports.getOrDefault(component.region(), 0L);
    if (count > before) {
      counts.imports.put(component.region(), count);
      counts.imported += count - before;
    }
  }

  /** All counts of a cell of the region. */
  OriginCell inspect(String region, WindowCell cell) {
    Counts counts = find(cell);
    Map<String, Long> components = new HashMap<>(counts.imports);
    if (counts.pushed > 0) {
      components.put(region, counts.pushed);
    }
    return new OriginCell(counts.byWriter, components);
  }

  /** The counts of a cell that is written now, which extends its lifetime. */
  private Counts write(WindowCell cell) {
    if ((writes + stored) % WRITES_PER_SWEEP == 0) {
      deleteExpired();
    }
    Counts counts = cells.computeIfAbsent(cell, fresh -> new Counts());
    long windowMillis = cell.series().scope().windowMillis();
    counts.expiresAtNanos =
        timeline.nowNanos() + WindowRules.CELL_LIFETIME_WINDOWS * windowMillis * 1_000_000;
    return counts;
  }

  /** Registers a node, which becomes the reader or stays it if it can read. */
  LiveNodes register(Registration registration) {
    long now = timeline.nowNanos();
    String node = registration.node();
    long endNanos = now + registration.lifetime().toNanos();
    nodes.put(node, endNanos);
    nodes.values().removeIf(each -> each <= now);
    Optional<String> before = reader();
    boolean canRead = registration.canRead() && endNanos > now;
    boolean newReader = canRead && before.isEmpty();
    if (newReader || before.equals(Optional.of(node))) {
      lease = canRead ? new Lease(node, endNanos) : null;
    }
    return new LiveNodes(nodes.size(), reader(), newReader);
  }

  /** The node that reads the global counters for the region, if there is one. */
  public Optional<String> reader() {
    return Optional.ofNullable(lease)
        .filter(held -> held.endNanos > timeline.nowNanos())
        .map(Lease::node);
  }

  /** Loses the lease of the reader alone, like a full Redis that evicts its key. */
  public void loseReader() {
    lease = null;
  }

  private void deleteExpired() {
    cells.values().removeIf(counts -> counts.expiresAtNanos <= timeline.nowNanos());
  }

  /** Loses all cells, all nodes and the reader, like a restart without persistence. */
  public void wipe() {
    cells.clear();
    nodes.clear();
    loseReader();
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

  /** The count of each other region in a cell. */
  public Map<String, Long> imports(WindowCell cell) {
    return Collections.unmodifiableMap(find(cell).imports);
  }

  /** The part of the region's count of a cell that is known to have been pushed. */
  public long pushed(WindowCell cell) {
    return find(cell).pushed;
  }

  /** Total number of components stored: imported and pushed counts. */
  public long stored() {
    return stored;
  }

  /** Total number of cells read and counts written by nodes, without stored components. */
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
