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
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Pulls the counts of all regions and merges them: those of other regions are imported, those of
 * this region raise the peers' count, in case the origin has lost it.
 *
 * <p>A merge takes the greater count, so a component may arrive late, twice, or in a pull that
 * fails half-way. Ticks come from one thread at a time, components and answers from any thread.
 */
final class Puller {

  /** Lookups of a series that is evicted each time before its count is merged. */
  private static final int TRIES = 3;

  /**
   * Most components kept for cells that have not begun: some 20 MB. A full pull brings the rest.
   */
  private static final int MAX_AHEAD = 100_000;

  /** The figures of one pull. Written by the thread that delivers its components. */
  static final class Tally {

    private volatile int rows;
    private volatile int applied;
    private volatile int created;

    /** Number of components. */
    int rows() {
      return rows;
    }

    /** Number of components that raised a count. */
    int applied() {
      return applied;
    }

    /** Number of series that were created for them. */
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

  /** Counts of cells that have not begun by the clock of this node. Guarded by itself. */
  private final Map<RegionOfCell, Long> ahead = new HashMap<>();

  /** Where the next pull begins, unless it is a full one. Used only while none is under way. */
  private volatile long since;

  /** Whether the next pull is a full one. Set by ticks, cleared by the answer. */
  private volatile boolean fullPullDue = true;

  /** The full pull under way, if there is one. */
  private volatile @Nullable CompletableFuture<Long> fullPull;

  /** When the last component arrived, or the pull under way began. */
  private volatile long rowNanos;

  /** When a full pull began that has succeeded and is not yet compared with the pushed counts. */
  private final AtomicReference<@Nullable Integer> unchecked = new AtomicReference<>();

  /** The series that are still to be compared with the last full pull. */
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
   * Makes the next pull a full one, and those after it until one succeeds. Does nothing while a
   * full pull is under way: one that takes longer than its interval would be followed by another
   * for ever, and changes would never be pulled.
   */
  void requestFullPull() {
    if (fullPull == null) {
      fullPullDue = true;
    }
  }

  /** Seconds since the start of this node, by which pushes and pulls are compared. */
  int seconds() {
    return (int) TimeUnit.NANOSECONDS.toSeconds(scheduler.elapsedNanos() - startNanos);
  }

  /** Fails a full pull that delivers no more components. */
  void expire() {
    CompletableFuture<Long> pull = fullPull;
    long silence = GlobalTimings.FULL_PULL_SILENCE.toNanos();
    if (pull != null && scheduler.elapsedNanos() - rowNanos >= silence) {
      pull.completeExceptionally(
          new TimeoutException("no row for " + GlobalTimings.FULL_PULL_SILENCE.toMillis() + " ms"));
    }
  }

  /** Starts a pull. To be called when idle. */
  @SuppressWarnings("FutureReturnValueIgnored") // the stage handles failures too
  void begin() {
    long nowMillis = clock.millis();
    mergeBegunCells(nowMillis);
    underWay = true;
    rowNanos = scheduler.elapsedNanos();
    int began = seconds();
    boolean full = fullPullDue;
    long from = full ? GlobalCounters.EVERYTHING : since; // which may be EVERYTHING too
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
        if (full) {
          fullPullDue = false;
          unchecked.set(began);
        }
      }
      fullPull = null;
      underWay = false;
    });
  }

  /**
   * Detects counts that the global counters have lost, as in a failover to a server that was
   * behind: those of this region that a full pull should have brought and did not.
   */
  void detectLoss() {
    Integer began = unchecked.getAndSet(null);
    if (began != null) {
      checkedSeconds = began;
      lossReported = false;
      checking = store.sharedCounters();
    }
    long nowMillis = clock.millis();
    for (int i = 0; i < GlobalLayer.MAX_SERIES_PER_TICK && checking.hasNext(); i++) {
      if (checking.next().unpushUnlessConfirmed(checkedSeconds, nowMillis) && !lossReported) {
        lossReported = true;
        counters.reportLoss();
      }
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time delivers components
  private void take(Component component, int pullStartSeconds, Tally tally) {
    tally.rows++;
    rowNanos = scheduler.elapsedNanos();
    long nowMillis = clock.millis();
    WindowCell cell = component.cell();
    if (!store.publishes(cell.series().scope().windowMillis())) {
      return; // pushed by a node with a different policy
    }
    if (cell.startMillis() > nowMillis && !isInUse(cell)) {
      if (cell.startMillis() - nowMillis <= GlobalTimings.FARTHEST_AHEAD.toMillis()) {
        keep(component);
      }
    } else if (cell.expiresAtMillis() > nowMillis) {
      merge(component, pullStartSeconds, nowMillis, tally);
    }
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
      if (ahead.size() < MAX_AHEAD) { // a later full pull brings the rest
        ahead.merge(
            new RegionOfCell(component.region(), component.cell()), component.count(), Math::max);
      }
    }
  }

  private void mergeBegunCells(long nowMillis) {
    Tally unreported = new Tally();
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
              unreported);
          entries.remove();
        }
      }
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time delivers components
  private void merge(Component component, int pullStartSeconds, long nowMillis, Tally tally) {
    for (int tries = 0; tries < TRIES; tries++) {
      SharedCounter counter = counter(component.cell().series(), nowMillis, tally);
      if (counter == null) {
        return;
      }
      if (merge(component, counter, pullStartSeconds, nowMillis)) {
        tally.applied++;
      }
      if (!counter.isRemoved()) {
        return;
      }
    }
  }

  private boolean merge(
      Component component, SharedCounter counter, int pullStartSeconds, long nowMillis) {
    long start = component.cell().startMillis();
    if (component.region().equals(region)) {
      return counter.mergeRegional(start, component.count(), pullStartSeconds, nowMillis);
    }
    OptionalInt number = regions.number(component.region());
    return number.isPresent()
        && counter.mergeImported(start, number.getAsInt(), component.count(), nowMillis);
  }

  /**
   * The counter of a series, created if there is room for it. No series with requests here is
   * evicted for one without; if this one gets requests later, a later pull brings its counts again.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time delivers components
  private @Nullable SharedCounter counter(Series series, long nowMillis, Tally tally) {
    SeriesTable table = store.table(series.scope());
    SharedCounter known = table.findShared(series.identifier());
    if (known != null && !known.isRemoved()) {
      return known;
    }
    if (store.size() >= store.maxSeries()) {
      return null;
    }
    tally.created++;
    return table.importedCounter(series.identifier(), nowMillis);
  }
}
