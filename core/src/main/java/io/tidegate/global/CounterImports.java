package io.tidegate.global;

import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Merges components of other regions into the counters of this node, and creates those that it does
 * not have: without an origin, this is the only way in which the first request of a series finds
 * them. A merge takes the greater count, so a component may arrive late, twice, or in a pull that
 * fails half-way.
 */
final class CounterImports implements Imports {

  /** Lookups of a series that is evicted each time before its count is merged. */
  private static final int TRIES = 3;

  /**
   * Most components kept for cells that have not begun: some 20 MB. A full pull brings the rest.
   */
  private static final int MAX_AHEAD = 100_000;

  private record RegionOfCell(String region, WindowCell cell) {}

  private final SeriesStore store;
  private final RegionNumbers regions;
  private final LongAdder created = new LongAdder();

  /** Counts of cells that have not begun by the clock of this node. Guarded by itself. */
  private final Map<RegionOfCell, Long> ahead = new HashMap<>();

  CounterImports(SeriesStore store, RegionNumbers regions) {
    this.store = store;
    this.regions = regions;
  }

  @Override
  public boolean take(Component component, long nowMillis) {
    WindowCell cell = component.cell();
    if (cell.startMillis() <= nowMillis || isInUse(cell)) {
      return merge(component, nowMillis);
    }
    if (cell.startMillis() - nowMillis <= GlobalTimings.FARTHEST_AHEAD.toMillis()) {
      keep(component);
    }
    return false;
  }

  @Override
  public CompletableFuture<Stored> end() {
    return CompletableFuture.completedFuture(Stored.ALL);
  }

  /** Number of series that were created for components. */
  long created() {
    return created.sum();
  }

  /**
   * Whether a series is already in a cell or the one after it, though the cell has not begun by the
   * clock: after the clock was set back, decisions stay in their cell.
   */
  private boolean isInUse(WindowCell cell) {
    SharedCounter counter =
        store.table(cell.series().scope()).findShared(cell.series().identifier());
    return counter != null
        && counter.cells().stream().anyMatch(own -> own.startMillis() == cell.startMillis());
  }

  private void keep(Component component) {
    synchronized (ahead) {
      if (ahead.size() < MAX_AHEAD) {
        ahead.merge(
            new RegionOfCell(component.region(), component.cell()), component.count(), Math::max);
      }
    }
  }

  /** Merges the components that were kept for cells which have begun by now. */
  void mergeBegunCells(long nowMillis) {
    synchronized (ahead) {
      Iterator<Map.Entry<RegionOfCell, Long>> entries = ahead.entrySet().iterator();
      while (entries.hasNext()) {
        Map.Entry<RegionOfCell, Long> entry = entries.next();
        RegionOfCell key = entry.getKey();
        if (key.cell().startMillis() <= nowMillis) {
          merge(new Component(key.region(), key.cell(), entry.getValue()), nowMillis);
          entries.remove();
        }
      }
    }
  }

  private boolean merge(Component component, long nowMillis) {
    int number = regions.number(component.region());
    boolean grown = false;
    for (int tries = 0; number > 0 && tries < TRIES; tries++) {
      SharedCounter counter = counter(component.cell().series(), nowMillis);
      if (counter == null) {
        return false;
      }
      long start = component.cell().startMillis();
      grown = counter.mergeImported(start, number, component.count(), nowMillis);
      if (!counter.isRemoved()) {
        return grown;
      }
    }
    return grown;
  }

  /**
   * The counter of a series, created if there is room for it. No series with requests here is
   * evicted for one without; if this one gets requests later, a later pull brings its counts again.
   */
  private @Nullable SharedCounter counter(Series series, long nowMillis) {
    SeriesTable table = store.table(series.scope());
    SharedCounter known = table.findShared(series.identifier());
    if (known != null && !known.isRemoved()) {
      return known;
    }
    if (store.size() >= store.maxSeries()) {
      return null;
    }
    created.increment();
    return table.importedCounter(series.identifier(), nowMillis);
  }
}
