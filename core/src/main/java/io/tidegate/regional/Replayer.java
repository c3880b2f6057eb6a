package io.tidegate.regional;

import io.tidegate.local.EvictedBound;
import io.tidegate.local.SharedCounter;
import io.tidegate.local.SharedCounter.OwnCell;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tells the origin what this node has counted: one message for each cell that has changed since the
 * last tick, however many requests it took, and again until it is confirmed.
 *
 * <p>A series is in one place at a time: in the queue, under way, or paused after a failure. So it
 * has one message per cell under way at most, and whatever happens to that one, the next says all.
 */
final class Replayer {

  /** Most series per call: what a slow or failing call can hold up. */
  private static final int CHUNK = 500;

  /** Most calls to one part under way. What does not fit waits for the next tick. */
  private static final int MAX_CALLS = 16;

  /** After a failure: long enough not to press, short enough to be whole again in a second. */
  private static final long RETRY_NANOS = Duration.ofMillis(300).toNanos();

  /** A cell matters for two windows; one is for nodes whose clocks are behind. */
  private static final int LIFE_WINDOWS = 3;

  private record Paused(SharedCounter counter, long untilNanos) {}

  private final Queue<SharedCounter> changed = new ConcurrentLinkedQueue<>();

  /** What one part of the origin is to receive next: a part that fails holds up no other. */
  private static final class PartQueue {

    private final Queue<SharedCounter> due = new ArrayDeque<>();
    private final AtomicInteger callsUnderWay = new AtomicInteger();

    boolean isIdle() {
      return due.isEmpty() && callsUnderWay.get() == 0;
    }
  }

  /** By the name of the part. Used by the tick alone. */
  private final Map<String, PartQueue> parts = new LinkedHashMap<>();

  private final Queue<Paused> paused = new ConcurrentLinkedQueue<>();
  private final AtomicLong unconfirmed = new AtomicLong();
  private final LongAdder lostTokens = new LongAdder();
  private final EvictedBound evictedBound;
  private final GuardedOrigin origin;
  private final InstantSource clock;
  private final Scheduler scheduler;

  Replayer(EvictedBound evictedBound, GuardedOrigin origin, InstantSource clock, Scheduler scheduler) {
    this.evictedBound = evictedBound;
    this.origin = origin;
    this.clock = clock;
    this.scheduler = scheduler;
  }

  /** Takes on a series, which the caller has queued. */
  void add(SharedCounter counter) {
    unconfirmed.incrementAndGet();
    changed.add(counter);
  }

  /** How many series the origin does not know all of. */
  long unconfirmed() {
    return unconfirmed.get();
  }

  /** How many tokens were given up before the origin confirmed them. */
  long lostTokens() {
    return lostTokens.sum();
  }

  /** Sends what has changed. */
  synchronized void tick() {
    giveUpWhatIsTooMuch();
    long nowNanos = scheduler.elapsedNanos();
    for (Paused head; (head = paused.peek()) != null && nowNanos - head.untilNanos() >= 0; ) {
      enqueue(paused.remove().counter());
    }
    for (SharedCounter counter; (counter = changed.poll()) != null; ) {
      enqueue(counter);
    }
    long nowMillis = clock.millis();
    parts.forEach((part, queue) -> {
      while (!queue.due.isEmpty()
          && queue.callsUnderWay.get() < MAX_CALLS
          && sendChunk(part, queue, nowMillis)) {
        // until enough calls are under way, or none may be made
      }
    });
    parts.values().removeIf(PartQueue::isIdle);
  }

  private void enqueue(SharedCounter counter) {
    parts.computeIfAbsent(origin.part(counter), part -> new PartQueue()).due.add(counter);
  }

  /** Keeps memory bounded while the origin does not answer. */
  private void giveUpWhatIsTooMuch() {
    long excess = evictedBound.excess(unconfirmed(), this::evictedInQueues);
    if (excess > 0) {
      AtomicLong tooMany = new AtomicLong(excess);
      Predicate<SharedCounter> giveUp = counter -> {
        boolean givenUp = counter.isGone() && tooMany.decrementAndGet() >= 0;
        if (givenUp) {
          unconfirmed.decrementAndGet();
          counter.untold().forEach(this::lose);
        }
        return givenUp;
      };
      parts.values().forEach(queue -> queue.due.removeIf(giveUp));
      paused.removeIf(pause -> giveUp.test(pause.counter()));
    }
  }

  private long evictedInQueues() {
    Stream<SharedCounter> due = parts.values().stream().flatMap(queue -> queue.due.stream());
    return Stream.concat(due, paused.stream().map(Paused::counter))
        .filter(SharedCounter::isGone)
        .count();
  }

  private void lose(OwnCell cell) {
    lostTokens.add(cell.count() - cell.confirmed());
  }

  /** Makes one call; false if no call may be made. */
  private boolean sendChunk(String part, PartQueue queue, long nowMillis) {
    List<SharedCounter> counters = new ArrayList<>();
    List<GuardedOrigin.Message> messages = new ArrayList<>();
    try {
      collect(queue, counters, messages, nowMillis);
      return messages.isEmpty() || send(part, queue, counters, messages, nowMillis);
    } catch (RuntimeException | Error e) { // and nothing is under way: the next tick tries again
      queue.due.addAll(counters);
      throw e;
    }
  }

  private void collect(
      PartQueue queue,
      List<SharedCounter> counters,
      List<GuardedOrigin.Message> messages,
      long nowMillis) {
    while (counters.size() < CHUNK && !queue.due.isEmpty()) {
      SharedCounter counter = queue.due.element();
      int before = messages.size();
      for (OwnCell cell : counter.untold()) {
        if (isOver(counter, cell, nowMillis)) {
          lose(cell);
          counter.confirm(cell.startMillis(), cell.count()); // nobody will ask for it any more
        } else {
          messages.add(new GuardedOrigin.Message(counter, cell));
        }
      }
      queue.due.remove();
      if (messages.size() > before) {
        counters.add(counter);
      } else {
        settle(counter);
      }
    }
  }

  private boolean send(
      String part,
      PartQueue queue,
      List<SharedCounter> counters,
      List<GuardedOrigin.Message> messages,
      long nowMillis) {
    List<CompletableFuture<Boolean>> answers = origin.replay(part, messages, nowMillis);
    if (answers == null) {
      queue.due.addAll(counters);
      return false;
    }
    queue.callsUnderWay.incrementAndGet();
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .whenComplete((all, failure) -> queue.callsUnderWay.decrementAndGet());
    int next = 0;
    for (SharedCounter counter : counters) {
      CompletableFuture<Boolean> told = answers.get(next++);
      if (next < messages.size() && messages.get(next).counter() == counter) {
        told = told.thenCombine(answers.get(next++), Boolean::logicalAnd);
      }
      told.whenComplete((confirmed, failure) -> arrived(counter, failure == null));
    }
    return true;
  }

  private static boolean isOver(SharedCounter counter, OwnCell cell, long nowMillis) {
    return nowMillis - cell.startMillis() >= LIFE_WINDOWS * counter.scope().windowMillis();
  }

  private void arrived(SharedCounter counter, boolean answered) {
    if (answered) {
      settle(counter);
    } else {
      paused.add(new Paused(counter, scheduler.elapsedNanos() + RETRY_NANOS));
    }
  }

  /** Lets go of a series, unless it has changed meanwhile. */
  private void settle(SharedCounter counter) {
    counter.unqueueForReplay();
    try {
      requeue(counter);
    } finally {
      unconfirmed.decrementAndGet(); // not before: close() waits until there are none
    }
  }

  /** Takes on a series that has unconfirmed counts, unless it is queued already. */
  void requeue(SharedCounter counter) {
    if (counter.hasUntold() && counter.queueForReplay()) {
      add(counter);
    }
  }
}
