package io.tidegate.regional;

import io.tidegate.local.OwnCell;
import io.tidegate.local.PendingQueue;
import io.tidegate.local.Unconfirmed;
import io.tidegate.model.WindowRules;
import io.tidegate.spi.Scheduler;
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
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sends own counts to the origin: one message for each cell that has changed since the last tick,
 * however many requests changed it, and again until it is confirmed.
 *
 * <p>A series is in one place at a time: in the replay queue, in the queue of its part, under way,
 * or paused after a failure. It has at most one message of this class per cell under way, and
 * whatever happens to that message, the next one carries the whole count. Reads may send the same
 * counts meanwhile. Ticks come from one thread at a time, answers from any thread.
 */
final class Replayer {

  /** Most series per call: what a slow or failing call can delay. */
  private static final int CHUNK = 500;

  /** Most calls to one part under way. Further series wait for the next tick. */
  private static final int MAX_CALLS = 16;

  private record Paused(Unconfirmed series, long untilNanos) {}

  /** The series to send to one part of the origin next. A part that fails delays no other. */
  private static final class PartQueue {

    private final Queue<Unconfirmed> due = new ArrayDeque<>();
    private final AtomicInteger callsUnderWay = new AtomicInteger();

    boolean isIdle() {
      return due.isEmpty() && callsUnderWay.get() == 0;
    }
  }

  /** By the name of the part. Used by ticks only. */
  private final Map<String, PartQueue> parts = new LinkedHashMap<>();

  private final Queue<Paused> paused = new ConcurrentLinkedQueue<>();
  private final LongAdder lostTokens = new LongAdder();
  private final PendingQueue<Unconfirmed> queue;
  private final GuardedOrigin origin;
  private final InstantSource clock;
  private final Scheduler scheduler;

  Replayer(
      PendingQueue<Unconfirmed> queue,
      GuardedOrigin origin,
      InstantSource clock,
      Scheduler scheduler) {
    this.queue = queue;
    this.origin = origin;
    this.clock = clock;
    this.scheduler = scheduler;
  }

  /** Number of series and cells with counts that the origin has not confirmed. */
  long unconfirmed() {
    return queue.size();
  }

  /** Number of tokens that were given up before the origin confirmed them. */
  long lostTokens() {
    return lostTokens.sum();
  }

  /** Sends the counts that have changed. */
  synchronized void tick() {
    queue.dropExcess(this::waiting, this::removeIf, this::loseAll);
    long nowNanos = scheduler.elapsedNanos();
    for (Paused head; (head = paused.peek()) != null && nowNanos - head.untilNanos() >= 0; ) {
      enqueue(paused.remove().series());
    }
    for (Unconfirmed series; (series = queue.poll()) != null; ) {
      enqueue(series);
    }
    long nowMillis = clock.millis();
    parts.forEach((part, partQueue) -> sendAll(part, partQueue, nowMillis));
    parts.values().removeIf(PartQueue::isIdle);
  }

  private void enqueue(Unconfirmed series) {
    parts.computeIfAbsent(origin.part(series), part -> new PartQueue()).due.add(series);
  }

  private Stream<Unconfirmed> waiting() {
    return Stream.concat(
        parts.values().stream().flatMap(part -> part.due.stream()),
        paused.stream().map(Paused::series));
  }

  private void removeIf(Predicate<Unconfirmed> predicate) {
    parts.values().forEach(part -> part.due.removeIf(predicate));
    paused.removeIf(pause -> predicate.test(pause.series()));
  }

  private void loseAll(Unconfirmed series) {
    series.unconfirmed().forEach(this::lose);
  }

  private void lose(OwnCell cell) {
    lostTokens.add(cell.count() - cell.confirmed());
  }

  /** Sends until enough calls are under way, or the guard permits none. */
  private void sendAll(String part, PartQueue partQueue, long nowMillis) {
    boolean permitted = true;
    while (permitted && !partQueue.due.isEmpty() && partQueue.callsUnderWay.get() < MAX_CALLS) {
      permitted = sendChunk(part, partQueue, nowMillis);
    }
  }

  /** Makes one call; false if the guard permits none. */
  private boolean sendChunk(String part, PartQueue partQueue, long nowMillis) {
    List<Unconfirmed> series = new ArrayList<>();
    List<OwnCell> cells = new ArrayList<>();
    try {
      collect(partQueue, series, cells, nowMillis);
      return cells.isEmpty() || send(part, partQueue, series, cells, nowMillis);
    } catch (RuntimeException | Error e) { // nothing is under way: the next tick tries again
      partQueue.due.addAll(series);
      throw e;
    }
  }

  private void collect(
      PartQueue partQueue, List<Unconfirmed> chunk, List<OwnCell> cells, long nowMillis) {
    while (chunk.size() < CHUNK && !partQueue.due.isEmpty()) {
      Unconfirmed series = partQueue.due.element();
      int before = cells.size();
      for (OwnCell cell : series.unconfirmed()) {
        if (isOver(cell, nowMillis)) {
          lose(cell);
          series.confirm(cell); // so that it is not sent any more
        } else {
          cells.add(cell);
        }
      }
      partQueue.due.remove();
      if (cells.size() > before) {
        chunk.add(series);
      } else {
        settle(series);
      }
    }
  }

  private static boolean isOver(OwnCell cell, long nowMillis) {
    long windowMillis = cell.source().scope().windowMillis();
    return nowMillis >= WindowRules.cellRemovedAtMillis(cell.startMillis(), windowMillis);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stages handle failures too
  private boolean send(
      String part,
      PartQueue partQueue,
      List<Unconfirmed> chunk,
      List<OwnCell> cells,
      long nowMillis) {
    List<CompletableFuture<Boolean>> answers = origin.replay(part, cells, nowMillis);
    if (answers == null) {
      partQueue.due.addAll(chunk);
      return false;
    }
    partQueue.callsUnderWay.incrementAndGet();
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .whenComplete((all, failure) -> partQueue.callsUnderWay.decrementAndGet());
    int next = 0;
    for (Unconfirmed series : chunk) {
      CompletableFuture<Boolean> confirmed = answers.get(next++);
      if (next < cells.size() && cells.get(next).source() == series) {
        confirmed = confirmed.thenCombine(answers.get(next++), Boolean::logicalAnd);
      }
      confirmed.whenComplete((all, failure) -> arrived(series, failure == null));
    }
    return true;
  }

  private void arrived(Unconfirmed series, boolean answered) {
    if (answered) {
      settle(series);
    } else {
      long untilNanos = scheduler.elapsedNanos() + RegionalTimings.REPLAY_RETRY_NANOS;
      paused.add(new Paused(series, untilNanos));
    }
  }

  /** Removes a series from the queue, unless its counts have grown meanwhile. */
  private void settle(Unconfirmed series) {
    try {
      if (series.unqueueOrKeep()) {
        queue.add(series);
      }
    } finally {
      queue.done(); // after the addition: close() waits until the queue is empty
    }
  }
}
