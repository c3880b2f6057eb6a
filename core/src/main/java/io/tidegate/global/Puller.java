package io.tidegate.global;

import io.tidegate.local.SeriesStore;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.Scheduler;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pulls the counts of other regions: for all nodes of its region, into the origin, or for this node
 * alone, into its counters. Starts with a full pull each time its task changes.
 *
 * <p>Ticks come from one thread at a time, components and answers from any thread.
 */
final class Puller {

  /** The figures of one pull. Written by the thread that delivers its components. */
  static final class Tally {

    private volatile int rows;
    private volatile int applied;
    private volatile int created;

    /** One component has arrived. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time delivers components
    void count(boolean raised, long createdSeries) {
      rows++;
      applied += raised ? 1 : 0;
      created += (int) createdSeries;
    }

    /** Number of components. */
    int rows() {
      return rows;
    }

    /** Number of components that raised a count, or were stored. */
    int applied() {
      return applied;
    }

    /** Number of series that were created for them. */
    int created() {
      return created;
    }
  }

  private final SeriesStore store;
  private final GuardedGlobalCounters counters;
  private final CounterImports counterImports;
  private final Supplier<OriginImports> originImports;
  private final InstantSource clock;
  private final Scheduler scheduler;

  /** For whom the last pull was made. Used by ticks only. */
  private Reading reading = Reading.NONE;

  /** Where the next pull begins, unless it is a full one. Used only while none is under way. */
  private volatile long since;

  /** Whether the next pull is a full one. Set by ticks and after a failure, cleared by a tick. */
  private volatile boolean fullPullDue = true;

  /** Whether the pull under way is a full one. */
  private volatile boolean fullPull;

  private volatile boolean underWay;

  /** Whether a component could not be stored since the last full pull. */
  private volatile boolean incomplete;

  /** When a pull last failed; null if none has. */
  private volatile @Nullable Long failedNanos;

  /** When a pull last succeeded; null if none has. */
  private volatile @Nullable Long doneNanos;

  Puller(
      SeriesStore store,
      GuardedGlobalCounters counters,
      Supplier<OriginImports> originImports,
      InstantSource clock,
      Scheduler scheduler) {
    this.store = store;
    this.counters = counters;
    this.counterImports = new CounterImports(store, new RegionNumbers());
    this.originImports = originImports;
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

  /** Whether pulls work, as far as this node knows. One that has failed is tried again later. */
  boolean canRead(long nowNanos) {
    Long failed = failedNanos;
    return failed == null || nowNanos - failed >= GlobalTimings.PAUSE.toNanos();
  }

  /** Whether only a full pull brings some components that were pulled and could not be stored. */
  boolean isIncomplete() {
    return incomplete;
  }

  /**
   * Makes the next pull a full one, and those after it until one succeeds. Does nothing while a
   * full pull is under way: one that takes longer than its interval would be followed by another
   * for ever, and changes would never be pulled.
   */
  void requestFullPull() {
    if (!fullPull) {
      fullPullDue = true;
    }
  }

  /** Makes the next pull a full one, also if a full pull is under way. */
  void startOver() {
    fullPullDue = true;
  }

  /** Starts a pull, if there is anyone to pull for. To be called when idle. */
  void begin(Reading forWhom) {
    long nowMillis = clock.millis();
    counterImports.mergeBegunCells(nowMillis);
    if (forWhom != reading) {
      reading = forWhom;
      fullPullDue = true;
    }
    if (forWhom == Reading.REGION) {
      begin(originImports.get(), nowMillis);
    } else if (forWhom == Reading.NODE) {
      begin(counterImports, nowMillis);
    }
  }

  private void begin(Imports imports, long nowMillis) {
    boolean full = fullPullDue;
    long from = full ? GlobalCounters.EVERYTHING : since; // which may be EVERYTHING too
    underWay = true;
    fullPullDue = false;
    fullPull = from == GlobalCounters.EVERYTHING;
    Tally tally = new Tally();
    CompletableFuture<Long> answer;
    try {
      answer = counters.pull(from, nowMillis, component -> take(component, imports, tally), tally);
    } catch (RuntimeException | Error e) { // out of memory, for one: the next round tries again
      failed(full);
      throw e;
    }
    if (answer == null) {
      failed(full);
    } else {
      end(answer, full, imports);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stages handle failures too
  private void end(CompletableFuture<Long> answer, boolean full, Imports imports) {
    answer.whenComplete((next, failure) -> imports.end().thenAccept(stored -> {
      if (failure == null) {
        since = next;
        done(full, stored);
      } else {
        failed(full);
      }
    }));
  }

  private void done(boolean full, Imports.Stored stored) {
    incomplete = stored != Imports.Stored.ALL || (incomplete && !full);
    if (stored != Imports.Stored.GIVEN_UP) {
      doneNanos = scheduler.elapsedNanos();
    }
    failedNanos = null;
    fullPull = false;
    underWay = false;
  }

  /** The next pull begins where this one did. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // both writers only set it
  private void failed(boolean full) {
    failedNanos = scheduler.elapsedNanos();
    fullPullDue = fullPullDue || full;
    fullPull = false;
    underWay = false;
  }

  private void take(Component component, Imports imports, Tally tally) {
    long nowMillis = clock.millis();
    long created = counterImports.created();
    boolean raised = isWanted(component.cell(), nowMillis) && imports.take(component, nowMillis);
    tally.count(raised, counterImports.created() - created);
  }

  /** A node with a different policy may have pushed a short window; others expire meanwhile. */
  private boolean isWanted(WindowCell cell, long nowMillis) {
    return store.publishes(cell.series().scope().windowMillis())
        && cell.expiresAtMillis() > nowMillis;
  }
}
