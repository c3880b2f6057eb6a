package io.tidegate.global;

import io.tidegate.local.EvictedBound;
import io.tidegate.local.SharedCounter;
import io.tidegate.local.SharedCounter.RegionalCell;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.PushPolicy.CellUse;
import io.tidegate.spi.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other regions what this one has counted, as far as the policy finds it worth telling.
 *
 * <p>A series is looked at only when a count of it has grown. What is worth it goes out in chunks,
 * one at a time. A chunk that fails ends the round; its series are looked at again in the next, and
 * what is sent then is what they count by then.
 */
final class Pusher {

  /** A regional count on its way. */
  private record Row(SharedCounter counter, RegionalCell cell) {}

  private final Queue<SharedCounter> changed = new ConcurrentLinkedQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final LongAdder givenUpSeries = new LongAdder();
  private final EvictedBound evictedBound;
  private final GuardedGlobalCounters counters;
  private final String region;
  private final PushPolicy policy;
  private final Regions regions;
  private final IntSupplier seconds;
  private final Scheduler scheduler;

  /** How many series this round has still to look at. Touched only while no call is out. */
  private volatile long left;

  private volatile boolean underWay;

  /** Whether all is worth pushing, because there will not be another time. */
  private volatile boolean leaving;

  private volatile boolean failed;

  /** When a round last left nothing behind that was worth pushing. */
  private volatile @Nullable Long doneNanos;

  Pusher(
      EvictedBound evictedBound,
      GuardedGlobalCounters counters,
      String region,
      PushPolicy policy,
      Regions regions,
      IntSupplier seconds,
      Scheduler scheduler) {
    this.evictedBound = evictedBound;
    this.counters = counters;
    this.region = region;
    this.policy = policy;
    this.regions = regions;
    this.seconds = seconds;
    this.scheduler = scheduler;
  }

  /** Takes on a series, which the caller has queued. */
  void add(SharedCounter counter) {
    changed.add(counter);
    waiting.incrementAndGet();
  }

  /** From now on everything is worth pushing. */
  void leave() {
    leaving = true;
  }

  /** Whether no round is under way. */
  boolean isIdle() {
    return !underWay && left == 0;
  }

  /** Whether an answer has to come before the round goes on. */
  boolean isWaiting() {
    return underWay;
  }

  /** Whether the last round ended with a failure. */
  boolean hasFailed() {
    return failed;
  }

  /** How many evicted series other regions will not hear of. */
  long givenUpSeries() {
    return givenUpSeries.sum();
  }

  /** When a round last left nothing behind that was worth pushing; null if none has. */
  @Nullable
  Long doneNanos() {
    return doneNanos;
  }

  /** Begins a round: whatever has changed by now is looked at. To be called when idle. */
  void begin() {
    failed = false;
    left = waiting.get();
    if (left == 0) {
      doneNanos = scheduler.elapsedNanos();
    }
  }

  /** Goes on with the round. One thread at a time. */
  void tick(long nowMillis) {
    giveUpWhatIsTooMuch();
    if (underWay || left == 0) {
      return;
    }
    List<Row> rows = new ArrayList<>();
    try {
      look(rows, nowMillis);
    } catch (RuntimeException | Error e) {
      failed(rows);
      throw e;
    }
    if (!rows.isEmpty()) {
      send(rows);
    } else if (left == 0) {
      doneNanos = scheduler.elapsedNanos();
    }
  }

  /**
   * Keeps memory bounded while the database does not answer. The counts of series that are given up
   * are in the origin, if there is one, and are pushed when they are used again.
   */
  private void giveUpWhatIsTooMuch() {
    long excess = evictedBound.excess(
        waiting.get(), () -> changed.stream().filter(SharedCounter::isGone).count());
    if (excess > 0) {
      AtomicLong tooMany = new AtomicLong(excess);
      changed.removeIf(counter -> {
        boolean givenUp = counter.isGone() && tooMany.decrementAndGet() >= 0;
        if (givenUp) {
          waiting.decrementAndGet();
          givenUpSeries.increment();
        }
        return givenUp;
      });
    }
  }

  /** Looks at series until there is a chunk of rows, or enough for one tick. */
  private void look(List<Row> rows, long nowMillis) {
    int regionCount = regions.count();
    for (int i = 0; i < Tuning.MOST_LOOKED_AT && left > 0 && rows.size() < Tuning.CHUNK; i++) {
      SharedCounter counter = changed.poll();
      if (counter == null) {
        left = 0; // some were given up
        return;
      }
      left--;
      waiting.decrementAndGet();
      counter.unqueueForPush(); // before its counts are read: what grows later is looked at later
      try {
        for (RegionalCell cell : counter.unpushed(nowMillis)) {
          if (leaving || policy.isWorthPushing(use(counter, cell, regionCount))) {
            rows.add(new Row(counter, cell));
          }
        }
      } catch (RuntimeException | Error e) { // of the policy, which may be anybody's
        lookAgain(counter);
        throw e;
      }
    }
  }

  private void lookAgain(SharedCounter counter) {
    if (counter.queueForPush()) {
      add(counter);
    }
  }

  private static CellUse use(SharedCounter counter, RegionalCell cell, int regions) {
    return new CellUse(
        cell.limit(),
        counter.scope().windowMillis(),
        cell.count(),
        cell.pushed(),
        Math.max(0, cell.limit() - cell.effective()),
        cell.usedElsewhere(),
        regions);
  }

  private void send(List<Row> rows) {
    underWay = true;
    CompletableFuture<Set<Component>> answer;
    try {
      answer = counters.push(rows.stream().map(this::component).toList());
    } catch (RuntimeException | Error e) { // as for lack of memory: the next round tries again
      failed(rows);
      throw e;
    }
    if (answer == null) {
      failed(rows);
    } else {
      answer.whenComplete((refused, failure) -> {
        if (failure == null) {
          succeeded(rows, refused);
        } else {
          failed(rows);
        }
      });
    }
  }

  /** What was refused is not tried again either, until it has grown; and no pull will bring it. */
  private void succeeded(List<Row> rows, Set<Component> refused) {
    int now = seconds.getAsInt();
    for (Row row : rows) {
      boolean unheardOf = !refused.isEmpty() && refused.contains(component(row));
      row.counter.pushed(
          row.cell.startMillis(), row.cell.count(), unheardOf ? Integer.MAX_VALUE : now);
    }
    if (left == 0) {
      doneNanos = scheduler.elapsedNanos();
    }
    underWay = false;
  }

  private void failed(List<Row> rows) {
    rows.forEach(row -> lookAgain(row.counter));
    failed = true;
    left = 0;
    underWay = false;
  }

  private Component component(Row row) {
    Series series = new Series(row.counter.scope(), row.counter.identifier());
    return new Component(region, WindowCell.at(series, row.cell.startMillis()), row.cell.count());
  }
}
