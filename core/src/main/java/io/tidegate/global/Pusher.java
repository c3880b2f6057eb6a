package io.tidegate.global;

import io.tidegate.local.PendingQueue;
import io.tidegate.local.RegionalCell;
import io.tidegate.local.Unpushed;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.PushPolicy;
import io.tidegate.spi.PushPolicy.CellUse;
import io.tidegate.spi.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pushes the counts of this region to the global counters, as far as the policy finds them worth
 * pushing.
 *
 * <p>The policy judges a series only after one of its counts has grown. If only this region uses
 * the series, and other nodes of it may have pushed the same count, the series is read from the
 * origin first, and judged again in the next tick. Counts are pushed in chunks, one at a time. A
 * chunk that fails ends the round; its series are judged again in the next round, which pushes
 * their counts of that time. Ticks come from one thread at a time, answers from any thread.
 */
final class Pusher {

  /**
   * Most components in one push. A round seldom has more; a statement of this size takes some 20
   * ms, for which other writers of the same rows wait.
   */
  static final int CHUNK = 500;

  /**
   * A component to push.
   *
   * @param series the series or cell that it was read from
   * @param isUsedElsewhere whether other regions use the series: they should have the count soon,
   *     be it that two nodes push it
   */
  private record Push(Unpushed series, Component component, boolean isUsedElsewhere) {}

  private final LongAdder givenUpSeries = new LongAdder();
  private final PendingQueue<Unpushed> queue;
  private final GuardedGlobalCounters counters;
  private final String region;
  private final PushPolicy policy;
  private final IntSupplier seconds;
  private final Predicate<Unpushed> refreshBeforePush;
  private final Consumer<List<Component>> pushed;
  private final Scheduler scheduler;

  /** Number of series that this round has still to judge. Used only while no call is under way. */
  private volatile long left;

  /**
   * Series that are worth pushing, and are read from the origin first. They count as queued, so
   * that nothing queues them a second time. Used by ticks only.
   */
  private final Queue<Unpushed> beingRead = new ArrayDeque<>();

  private volatile boolean underWay;

  /** Whether every count is pushed, because there is no later round. */
  private volatile boolean flushing;

  private volatile boolean failed;

  /** When a round last ended with nothing left that was worth pushing. */
  private volatile @Nullable Long doneNanos;

  /**
   * A pusher.
   *
   * @param seconds elapsed time, by which pushes and checks are compared
   * @param refreshBeforePush begins a read of a series if another node may have pushed its count,
   *     and returns whether it did
   * @param pushed receives what was pushed, so that other nodes do not push it again
   */
  Pusher(
      PendingQueue<Unpushed> queue,
      GuardedGlobalCounters counters,
      String region,
      PushPolicy policy,
      IntSupplier seconds,
      Predicate<Unpushed> refreshBeforePush,
      Consumer<List<Component>> pushed,
      Scheduler scheduler) {
    this.queue = queue;
    this.counters = counters;
    this.region = region;
    this.policy = policy;
    this.seconds = seconds;
    this.refreshBeforePush = refreshBeforePush;
    this.pushed = pushed;
    this.scheduler = scheduler;
  }

  /** From now on every count is worth pushing. */
  void flush() {
    flushing = true;
  }

  /** Whether no round is under way. */
  boolean isIdle() {
    return !underWay && left == 0 && beingRead.isEmpty();
  }

  /** Whether the round waits for an answer. */
  boolean isWaiting() {
    return underWay;
  }

  /** Whether the last round ended with a failure. */
  boolean hasFailed() {
    return failed;
  }

  /** Number of evicted series whose counts were given up. */
  long givenUpSeries() {
    return givenUpSeries.sum();
  }

  /** When a round last ended with nothing left that was worth pushing; null if none has. */
  @Nullable
  Long doneNanos() {
    return doneNanos;
  }

  /** Starts a round over the series that have changed by now. To be called when idle. */
  void begin() {
    failed = false;
    left = queue.size();
    if (left == 0) {
      doneNanos = scheduler.elapsedNanos();
    }
  }

  /**
   * Continues the round. Series that the queue drops are in the origin, if there is one, and are
   * pushed when they are used again.
   */
  void tick(long nowMillis) {
    queue.dropExcess(series -> givenUpSeries.increment());
    if (underWay || (left == 0 && beingRead.isEmpty())) {
      return;
    }
    List<Push> pushes = new ArrayList<>();
    try {
      collect(pushes, nowMillis);
    } catch (RuntimeException | Error e) {
      failed(pushes);
      throw e;
    }
    if (!pushes.isEmpty()) {
      send(pushes);
    } else if (isIdle()) {
      doneNanos = scheduler.elapsedNanos();
    }
  }

  /** Judges series until there is a chunk of components, or enough for one tick. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time
  private void collect(List<Push> pushes, long nowMillis) {
    for (int i = beingRead.size(); i > 0; i--) {
      Unpushed series = beingRead.remove();
      series.unqueueForPush();
      pushes.addAll(worthPushing(series, nowMillis));
    }
    for (int i = 0; i < GlobalLayer.MAX_SERIES_PER_TICK && left > 0 && pushes.size() < CHUNK; i++) {
      Unpushed series = queue.poll();
      if (series == null) {
        left = 0; // the queue has dropped some
        return;
      }
      left--;
      queue.done();
      series.unqueueForPush(); // before its counts are read: later growth queues it again
      List<Push> worthy = worthPushing(series, nowMillis);
      boolean urgent = flushing || worthy.stream().anyMatch(Push::isUsedElsewhere);
      if (worthy.isEmpty() || urgent || !refreshBeforePush.test(series)) {
        pushes.addAll(worthy);
      } else if (series.queueForPush()) { // otherwise it has just been queued again
        beingRead.add(series);
      }
    }
  }

  private List<Push> worthPushing(Unpushed series, long nowMillis) {
    List<Push> pushes = new ArrayList<>(2);
    try {
      for (RegionalCell cell : series.unpushed(nowMillis)) {
        if (flushing || policy.isWorthPushing(use(series, cell))) {
          pushes.add(new Push(series, component(series, cell), cell.regions() > 1));
        }
      }
      return pushes;
    } catch (RuntimeException | Error e) { // of the policy, which users may implement
      requeue(series);
      throw e;
    }
  }

  private void requeue(Unpushed series) {
    if (series.queueForPush()) {
      queue.add(series);
    }
  }

  private static CellUse use(Unpushed series, RegionalCell cell) {
    return new CellUse(
        cell.limit(),
        series.scope().windowMillis(),
        cell.count(),
        cell.pushed(),
        Math.max(0, cell.limit() - cell.effective()),
        cell.regions());
  }

  private Component component(Unpushed series, RegionalCell cell) {
    Series key = new Series(series.scope(), series.identifier());
    return new Component(region, WindowCell.at(key, cell.startMillis()), cell.count());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stage handles failures too
  private void send(List<Push> pushes) {
    underWay = true;
    CompletableFuture<Set<Component>> answer;
    try {
      answer = counters.push(pushes.stream().map(Push::component).toList());
    } catch (RuntimeException | Error e) { // out of memory, for one: the next round tries again
      failed(pushes);
      throw e;
    }
    if (answer == null) {
      failed(pushes);
    } else {
      answer.whenComplete((rejected, failure) -> {
        if (failure == null) {
          succeeded(pushes, rejected);
        } else {
          failed(pushes);
        }
      });
    }
  }

  private void succeeded(List<Push> pushes, Set<Component> rejected) {
    int now = seconds.getAsInt();
    List<Component> accepted = new ArrayList<>(pushes.size());
    for (Push push : pushes) {
      Component component = push.component();
      long start = component.cell().startMillis();
      if (!rejected.isEmpty() && rejected.contains(component)) {
        push.series().rejectPushed(start, component.count());
      } else {
        push.series().confirmPushed(start, component.count(), now);
        accepted.add(component);
      }
    }
    if (left == 0) {
      doneNanos = scheduler.elapsedNanos();
    }
    underWay = false;
    if (!accepted.isEmpty()) {
      pushed.accept(accepted);
    }
  }

  private void failed(List<Push> pushes) {
    pushes.forEach(push -> requeue(push.series()));
    failed = true;
    left = 0;
    underWay = false;
  }
}
