package io.tidegate.global;

import io.tidegate.local.SeriesStore;
import io.tidegate.local.SeriesTable;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.Scheduler;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the global counters hold of this region with what was pushed. They may have lost
 * counts, as in a failover to a server that was behind. Or they hold more than the region knows, as
 * after a restart of its nodes without an origin, or of its origin without data: the counts are
 * merged into the counters of this node, and the reader stores them in the origin.
 *
 * <p>Ticks come from one thread at a time, components and answers from any thread.
 */
final class PushCheck {

  private final SeriesStore store;
  private final GuardedGlobalCounters counters;
  private final Supplier<OriginImports> originImports;
  private final InstantSource clock;
  private final Scheduler scheduler;

  /** Whether a check has to begin. Set by ticks and after a failure. */
  private volatile boolean due = true;

  /** When a check last failed; null if the last one has not. */
  private volatile @Nullable Long failedNanos;

  private volatile boolean underWay;

  /** When a check began that has succeeded and is not yet compared with all series. */
  private final AtomicReference<@Nullable Integer> unchecked = new AtomicReference<>();

  /** The series that are still to be compared with the last check. */
  private Iterator<SharedCounter> checking = Collections.emptyIterator();

  private int checkedSeconds;
  private boolean lossReported;

  PushCheck(
      SeriesStore store,
      GuardedGlobalCounters counters,
      Supplier<OriginImports> originImports,
      InstantSource clock,
      Scheduler scheduler) {
    this.store = store;
    this.counters = counters;
    this.originImports = originImports;
    this.clock = clock;
    this.scheduler = scheduler;
  }

  /** Whether no check is under way. */
  boolean isIdle() {
    return !underWay;
  }

  /** Makes the next round begin a check, and those after it until one succeeds. */
  void request() {
    due = true;
  }

  /** Whether the next round begins a check: not right after one has failed. */
  boolean isDue(long nowNanos) {
    Long failed = failedNanos;
    return due && (failed == null || nowNanos - failed >= GlobalTimings.PAUSE.toNanos());
  }

  /** Seconds of elapsed time, by which pushes and checks are compared. */
  int seconds() {
    return (int) TimeUnit.NANOSECONDS.toSeconds(scheduler.elapsedNanos());
  }

  /** Starts a check. To be called when idle. */
  void begin(Reading reading) {
    due = false;
    underWay = true;
    int began = seconds();
    Puller.Tally tally = new Puller.Tally();
    OriginImports imports = reading == Reading.REGION ? originImports.get() : null;
    CompletableFuture<Integer> answer;
    try {
      answer = counters.pullOwn(
          clock.millis(),
          component -> {
            boolean raised = merge(component, began, reading == Reading.NODE);
            boolean taken = imports != null && imports.take(component, clock.millis());
            tally.count(raised || taken, 0);
          },
          tally);
    } catch (RuntimeException | Error e) { // out of memory, for one: a later round tries again
      end(false);
      throw e;
    }
    if (answer == null) {
      end(false);
    } else {
      end(answer, began, imports);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stages handle failures too
  private void end(CompletableFuture<Integer> answer, int began, @Nullable OriginImports imports) {
    answer.whenComplete((rows, failure) -> {
      if (failure == null) {
        unchecked.set(began);
      }
      if (imports == null) {
        end(failure == null);
      } else {
        imports
            .end()
            .thenAccept(stored -> end(failure == null && stored != Imports.Stored.GIVEN_UP));
      }
    });
  }

  private void end(boolean succeeded) {
    failedNanos = succeeded ? null : scheduler.elapsedNanos();
    if (!succeeded) {
      due = true;
    }
    underWay = false;
  }

  /** Detects counts that were pushed and that the last check should have brought and did not. */
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

  /**
   * Merges a component.
   *
   * @param creates whether to create the series if this node does not have it
   * @return whether a count has grown
   */
  private boolean merge(Component component, int began, boolean creates) {
    long nowMillis = clock.millis();
    WindowCell cell = component.cell();
    SharedCounter counter = counter(cell, creates, nowMillis);
    return counter != null
        && counter.mergeRegional(cell.startMillis(), component.count(), began, nowMillis);
  }

  private @Nullable SharedCounter counter(WindowCell cell, boolean creates, long nowMillis) {
    boolean shared = store.publishes(cell.series().scope().windowMillis());
    if (!shared || cell.expiresAtMillis() <= nowMillis) {
      return null; // pushed by a node with a different policy, or expired meanwhile
    }
    SeriesTable table = store.table(cell.series().scope());
    String identifier = cell.series().identifier();
    SharedCounter known = table.findShared(identifier);
    boolean absent = known == null || known.isRemoved();
    boolean hasRoom = cell.startMillis() <= nowMillis && store.size() < store.maxSeries();
    return absent && creates && hasRoom ? table.importedCounter(identifier, nowMillis) : known;
  }
}
