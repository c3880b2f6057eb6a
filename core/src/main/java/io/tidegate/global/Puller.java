package io.tidegate.global;

import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.Scheduler;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the regions have counted, and merges it: what other regions did is imported, what our
 * own did raises the peers' count, in case that the origin has lost it.
 *
 * <p>Merging takes the greater, so that a component may come late, twice, or in a pull that fails
 * half-way.
 */
final class Puller {

  /** How often a series is looked up that is evicted each time before something is merged. */
  private static final int TRIES = 3;

  /** What a pull has brought. Written by the thread that brings it. */
  static final class Tally {

    private volatile int rows;
    private volatile int applied;
    private volatile int created;

    /** How many components were read. */
    int rows() {
      return rows;
    }

    /** How many of them were news. */
    int applied() {
      return applied;
    }

    /** How many series they made that were unknown here. */
    int created() {
      return created;
    }
  }

  private record RegionOfCell(String region, WindowCell cell) {}

  private final SeriesStore store;
  private final Counters counters;
  private final String region;
  private final Regions regions;
  private final InstantSource clock;
  private final Scheduler scheduler;

  /** Of cells that have not begun by our clock, as another's is ahead. Guarded by itself. */
  private final Map<RegionOfCell, Long> ahead = new HashMap<>();

  /** Where the next pull begins, unless it reads everything. Touched only while none is out. */
  private volatile long since;

  /** How many pulls of everything were wanted, and which of them has succeeded last. */
  private volatile int fullPulls = 1;

  private volatile int fullPullsDone;

  /** All series, after a pull of everything, to see what of them it did not bring. */
  private Iterator<SharedCounter> checking = Collections.emptyIterator();

  private int checkedPull;
  private int saidPull;

  private volatile boolean underWay;

  /** When a pull last succeeded. */
  private volatile @Nullable Long doneNanos;

  Puller(
      SeriesStore store,
      Counters counters,
      String region,
      Regions regions,
      InstantSource clock,
      Scheduler scheduler) {
    this.store = store;
    this.counters = counters;
    this.region = region;
    this.regions = regions;
    this.clock = clock;
    this.scheduler = scheduler;
  }

  /** Whether no pull is under way. */
  boolean isIdle() {
    return !underWay;
  }

  /** When a pull last succeeded; null if none has. */
  @Nullable
  Long doneNanos() {
    return doneNanos;
  }

  /** The next pull reads everything, and so do those after it until one succeeds. */
  void wantEverything() {
    fullPulls++;
  }

  /** The last pull of everything that was wanted. */
  int lastFullPull() {
    return fullPulls;
  }

  /** Begins a pull. To be called when idle. */
  void begin() {
    long nowMillis = clock.millis();
    mergeWhatHasBegun(nowMillis);
    underWay = true;
    int full = fullPulls;
    boolean all = full != fullPullsDone;
    Tally tally = new Tally();
    CompletableFuture<Long> answer = counters.pull(
        all ? GlobalCounters.EVERYTHING : since,
        nowMillis,
        component -> take(component, full, tally),
        tally);
    if (answer == null) {
      underWay = false;
      return;
    }
    answer.whenComplete((next, failure) -> {
      if (failure == null) {
        since = next;
        fullPullsDone = full;
        doneNanos = scheduler.elapsedNanos();
      }
      underWay = false;
    });
  }

  /**
   * Notices what the global counters have lost, as in a failover to a server that was behind: what
   * of our own region a pull of everything should have brought, and did not. One thread at a time.
   */
  void check() {
    if (checkedPull != fullPullsDone) {
      checkedPull = fullPullsDone;
      checking = store.sharedCounters();
    }
    long nowMillis = clock.millis();
    for (int i = 0; i < Tuning.MOST_LOOKED_AT && checking.hasNext(); i++) {
      if (checking.next().unpushUnlessHeardBy(checkedPull, nowMillis) && saidPull != checkedPull) {
        saidPull = checkedPull;
        counters.sayForgotten();
      }
    }
  }

  private void take(Component component, int full, Tally tally) {
    tally.rows++;
    long nowMillis = clock.millis();
    WindowCell cell = component.cell();
    if (!store.publishes(cell.series().scope().windowMillis())) {
      return; // pushed by a node with another policy
    }
    if (cell.startMillis() > nowMillis) {
      if (cell.startMillis() - nowMillis <= Tuning.FARTHEST_AHEAD.toMillis()) {
        keep(component);
      }
    } else if (cell.expiresAtMillis() > nowMillis) {
      merge(component, full, nowMillis, tally);
    }
  }

  private void keep(Component component) {
    synchronized (ahead) {
      if (ahead.size() < Tuning.MOST_AHEAD) { // what does not fit, a later pull of all brings
        ahead.merge(
            new RegionOfCell(component.region(), component.cell()), component.count(), Math::max);
      }
    }
  }

  private void mergeWhatHasBegun(long nowMillis) {
    Tally nobodyAsks = new Tally();
    synchronized (ahead) {
      Iterator<Map.Entry<RegionOfCell, Long>> entries = ahead.entrySet().iterator();
      while (entries.hasNext()) {
        Map.Entry<RegionOfCell, Long> entry = entries.next();
        RegionOfCell key = entry.getKey();
        if (key.cell().startMillis() <= nowMillis) {
          merge(
              new Component(key.region(), key.cell(), entry.getValue()),
              fullPulls,
              nowMillis,
              nobodyAsks);
          entries.remove();
        }
      }
    }
  }

  private void merge(Component component, int full, long nowMillis, Tally tally) {
    for (int tries = 0; tries < TRIES; tries++) {
      SharedCounter counter = counter(component.cell().series(), nowMillis, tally);
      if (counter == null) {
        return;
      }
      if (merge(component, counter, full, nowMillis)) {
        tally.applied++;
      }
      if (!counter.isGone()) {
        return;
      }
    }
  }

  private boolean merge(Component component, SharedCounter counter, int full, long nowMillis) {
    long start = component.cell().startMillis();
    if (component.region().equals(region)) {
      return counter.mergeRegional(start, component.count(), full, nowMillis);
    }
    int number = regions.heardOf(component.region());
    return number >= 0 && counter.mergeImported(start, number, component.count(), nowMillis);
  }

  /**
   * The counter of a series, made if there is room for it. For those that nobody asks for here,
   * none of those that are asked for makes room; should this one be asked for, a later pull brings
   * the same again.
   */
  private @Nullable SharedCounter counter(Series series, long nowMillis, Tally tally) {
    SeriesTable table = store.table(series.scope());
    SharedCounter known = table.findShared(series.identifier());
    if (known != null && !known.isGone()) {
      return known;
    }
    if (store.size() >= store.maxSeries()) {
      return null;
    }
    tally.created++;
    return table.importedCounter(series.identifier(), nowMillis);
  }
}
