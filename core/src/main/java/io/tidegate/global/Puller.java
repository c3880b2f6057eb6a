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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
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
  private final GuardedGlobalCounters counters;
  private final String region;
  private final Regions regions;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final long startNanos;

  /** Of cells that have not begun by our clock, as another's is ahead. Guarded by itself. */
  private final Map<RegionOfCell, Long> ahead = new HashMap<>();

  /** Where the next pull begins, unless it reads everything. Touched only while none is out. */
  private volatile long since;

  /** Whether the next pull reads everything. Set by ticks, cleared by the answer. */
  private volatile boolean everythingWanted = true;

  /** The pull of everything that is under way, if one is. */
  private volatile @Nullable CompletableFuture<Long> fullPull;

  /** When a row last came, or the pull began that is under way. */
  private volatile long rowNanos;

  /** When a pull of everything began that has succeeded and is still to be checked. */
  private final AtomicReference<@Nullable Integer> unchecked = new AtomicReference<>();

  /** All series, after a pull of everything, to see what of them it did not bring. */
  private Iterator<SharedCounter> checking = Collections.emptyIterator();

  private int checkedSeconds;
  private boolean lossReported;

  private volatile boolean underWay;

  /** When a pull last succeeded. */
  private volatile @Nullable Long doneNanos;

  Puller(
      SeriesStore store,
      GuardedGlobalCounters counters,
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
    this.startNanos = scheduler.elapsedNanos();
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

  /**
   * The next pull reads everything, and so do those after it until one succeeds. Does nothing while
   * such a pull is under way: one that takes longer than its interval would be followed by the next
   * for ever, and changes would never be pulled.
   */
  void wantEverything() {
    if (fullPull == null) {
      everythingWanted = true;
    }
  }

  /** The time by which pushes and pulls are compared. */
  int seconds() {
    return (int) TimeUnit.NANOSECONDS.toSeconds(scheduler.elapsedNanos() - startNanos);
  }

  /** Fails a pull of everything that has fallen silent. */
  void expire() {
    CompletableFuture<Long> pull = fullPull;
    long silence = Tuning.FULL_PULL_SILENCE.toNanos();
    if (pull != null && scheduler.elapsedNanos() - rowNanos >= silence) {
      pull.completeExceptionally(
          new TimeoutException("no row within " + Tuning.FULL_PULL_SILENCE.toMillis() + " ms"));
    }
  }

  /** Begins a pull. To be called when idle. */
  void begin() {
    long nowMillis = clock.millis();
    mergeWhatHasBegun(nowMillis);
    underWay = true;
    rowNanos = scheduler.elapsedNanos();
    int began = seconds();
    boolean all = everythingWanted;
    long from = all ? GlobalCounters.EVERYTHING : since; // which the counters may ask for too
    Tally tally = new Tally();
    CompletableFuture<Long> answer =
        counters.pull(from, nowMillis, component -> take(component, began, tally), tally);
    if (answer == null) {
      underWay = false;
      return;
    }
    fullPull = from == GlobalCounters.EVERYTHING ? answer : null;
    answer.whenComplete((next, failure) -> {
      if (failure == null) {
        since = next;
        doneNanos = scheduler.elapsedNanos();
        if (all) {
          everythingWanted = false;
          unchecked.set(began);
        }
      }
      fullPull = null;
      underWay = false;
    });
  }

  /**
   * Notices what the global counters have lost, as in a failover to a server that was behind: what
   * of our own region a pull of everything should have brought, and did not. One thread at a time.
   */
  void check() {
    Integer began = unchecked.getAndSet(null);
    if (began != null) {
      checkedSeconds = began;
      lossReported = false;
      checking = store.sharedCounters();
    }
    long nowMillis = clock.millis();
    for (int i = 0; i < Tuning.MOST_LOOKED_AT && checking.hasNext(); i++) {
      if (checking.next().unpushUnlessConfirmed(checkedSeconds, nowMillis) && !lossReported) {
        lossReported = true;
        counters.sayForgotten();
      }
    }
  }

  private void take(Component component, int pullSeconds, Tally tally) {
    tally.rows++;
    rowNanos = scheduler.elapsedNanos();
    long nowMillis = clock.millis();
    WindowCell cell = component.cell();
    if (!store.publishes(cell.series().scope().windowMillis())) {
      return; // pushed by a node with another policy
    }
    if (cell.startMillis() > nowMillis && !isInUse(cell)) {
      if (cell.startMillis() - nowMillis <= Tuning.FARTHEST_AHEAD.toMillis()) {
        keep(component);
      }
    } else if (cell.expiresAtMillis() > nowMillis) {
      merge(component, pullSeconds, nowMillis, tally);
    }
  }

  /**
   * Whether a series is in a cell or the one after it already, though the cell has not begun by our
   * clock: it was set back, and decisions go on in the cell that they were in.
   */
  private boolean isInUse(WindowCell cell) {
    SharedCounter counter =
        store.table(cell.series().scope()).findShared(cell.series().identifier());
    return counter != null
        && counter.cells().stream().anyMatch(own -> own.startMillis() == cell.startMillis());
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
              seconds(),
              nowMillis,
              nobodyAsks);
          entries.remove();
        }
      }
    }
  }

  private void merge(Component component, int pullSeconds, long nowMillis, Tally tally) {
    for (int tries = 0; tries < TRIES; tries++) {
      SharedCounter counter = counter(component.cell().series(), nowMillis, tally);
      if (counter == null) {
        return;
      }
      if (merge(component, counter, pullSeconds, nowMillis)) {
        tally.applied++;
      }
      if (!counter.isGone()) {
        return;
      }
    }
  }

  private boolean merge(
      Component component, SharedCounter counter, int pullSeconds, long nowMillis) {
    long start = component.cell().startMillis();
    if (component.region().equals(region)) {
      return counter.mergeRegional(start, component.count(), pullSeconds, nowMillis);
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
