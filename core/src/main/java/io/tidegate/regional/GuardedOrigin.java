package io.tidegate.regional;

import io.tidegate.local.SharedCounter;
import io.tidegate.local.SharedCounter.OwnCell;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.runtime.CallReport;
import io.tidegate.runtime.FailureLog;
import io.tidegate.runtime.Guard;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import io.tidegate.spi.Writer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The region's origin as a node sees it: every call is guarded, and every answer goes into the
 * counters, even one that comes when nobody waits for it any more.
 */
final class GuardedOrigin {

  /** A decision waits no longer: a stalled origin must not slow down those it serves. */
  static final Duration READ_TIMEOUT = Duration.ofMillis(300);

  /** Nobody waits for these calls, so they may take longer; what they say can be said again. */
  private static final Duration BACKGROUND_TIMEOUT = Duration.ofSeconds(1);

  private static final Duration READ_PAUSE = Duration.ofSeconds(5);

  /**
   * Shorter than that of reads, since nobody waits: after an outage, counts are whole in a second.
   */
  private static final Duration BACKGROUND_PAUSE = Duration.ofMillis(500);

  private final RegionalOrigin origin;
  private final String region;
  private final String node;
  private final InstantSource clock;
  private final Scheduler scheduler;

  /** Whether an answer has shown that the origin lost what it had confirmed. */
  private volatile boolean forgotten;

  private volatile boolean closed;

  /** Apart, because an origin may refuse to write and still read, as when its memory is full. */
  private final Guard reads;

  private final Guard replays;
  private final Guard patrols;
  private final FailureLog log;
  private final Map<OriginOperation, Guard.Outcome> outcomes = new EnumMap<>(OriginOperation.class);

  GuardedOrigin(
      RegionalOrigin origin,
      String region,
      String node,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.origin = origin;
    this.region = region;
    this.node = node;
    this.clock = clock;
    this.scheduler = scheduler;
    this.reads = Guard.ofManyCalls(READ_TIMEOUT, READ_PAUSE, scheduler);
    this.replays = Guard.ofManyCalls(BACKGROUND_TIMEOUT, BACKGROUND_PAUSE, scheduler);
    this.patrols = Guard.ofManyCalls(BACKGROUND_TIMEOUT, BACKGROUND_PAUSE, scheduler);
    this.log = new FailureLog(
        "The origin of region " + region
            + " fails; decisions go on from this node's memory, and what it counts is told later",
        "The origin of region " + region + " works again",
        scheduler);
    for (OriginOperation operation : OriginOperation.values()) {
      outcomes.put(
          operation,
          new CallReport(
              operation == OriginOperation.REPLAY ? "a replay" : "a read",
              log,
              nanos -> observer.originAnswered(operation, nanos),
              failure -> observer.originFailed(operation, failure),
              () -> closed));
    }
  }

  /**
   * Reads cells of a series: to be sure of it, both of them, the current one first.
   *
   * @param own the cells
   * @return whether there is an answer, which may come late and then changes the counter all the
   *     same; null if no call was made
   */
  @Nullable
  CompletableFuture<Boolean> read(
      SharedCounter counter, List<OwnCell> own, OriginOperation operation, long nowMillis) {
    Guard guard = operation == OriginOperation.LOSS_CHECK ? patrols : reads;
    Asked asked = asked(nowMillis);
    List<CompletableFuture<Boolean>> answers = guard.call(
        part(counter),
        () -> List.of(origin
            .read(writer(own.get(0)), cells(counter, own))
            .thenApply(counts -> merge(counter, own, counts, operation, asked))),
        outcomes.get(operation));
    return answers == null ? null : answers.get(0);
  }

  private boolean merge(
      SharedCounter counter,
      List<OwnCell> own,
      List<RegionalCount> counts,
      OriginOperation operation,
      Asked asked) {
    for (int i = 0; i < own.size(); i++) {
      counter.mergePeers(own.get(i).startMillis(), counts.get(i).peers());
      check(counter, own.get(i), counts.get(i));
    }
    if (operation != OriginOperation.LOSS_CHECK) {
      counter.refreshed(own.get(0).startMillis(), asked.millis(), asked.elapsedMillis());
    }
    return true;
  }

  /**
   * When a call was made: an answer is as old as its question.
   *
   * @param millis by the clock, which tells cells apart and may step
   * @param elapsedMillis by the scheduler, which measures ages and never runs back
   */
  private record Asked(long millis, long elapsedMillis) {}

  private Asked asked(long nowMillis) {
    return new Asked(nowMillis, TimeUnit.NANOSECONDS.toMillis(scheduler.elapsedNanos()));
  }

  /** An own count of a counter, on its way. */
  record Message(SharedCounter counter, OwnCell cell) {}

  /**
   * Sends own counts of series that one part of the origin stores.
   *
   * @return for each message whether it was confirmed, or a failure; null if no call was made
   */
  @Nullable
  List<CompletableFuture<Boolean>> replay(String part, List<Message> messages, long nowMillis) {
    Asked asked = asked(nowMillis);
    return replays.call(
        part,
        () -> {
          List<CompletionStage<RegionalCount>> counts = send(messages);
          List<CompletionStage<Boolean>> merged = new ArrayList<>(messages.size());
          for (int i = 0; i < messages.size(); i++) {
            merged.add(merged(messages.get(i), counts.get(i), asked));
          }
          return merged;
        },
        outcomes.get(OriginOperation.REPLAY));
  }

  /** An adapter that answers one message with nonsense fails this one and not those beside it. */
  private CompletionStage<Boolean> merged(
      Message message, CompletionStage<RegionalCount> count, Asked asked) {
    try {
      return count.thenApply(counted -> merge(message, counted, asked));
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Returns one stage for each message, even if the adapter throws: each is waited for. */
  private List<CompletionStage<RegionalCount>> send(List<Message> messages) {
    try {
      List<CompletionStage<RegionalCount>> counts =
          origin.replay(messages.stream().map(this::ownCount).toList());
      if (counts.size() != messages.size()) {
        throw new IllegalStateException("the origin received " + messages.size()
            + " counts and returned " + counts.size() + " answers");
      }
      return counts;
    } catch (RuntimeException | Error e) {
      return Collections.nCopies(messages.size(), CompletableFuture.failedFuture(e));
    }
  }

  private boolean merge(Message message, RegionalCount count, Asked asked) {
    SharedCounter counter = message.counter();
    OwnCell cell = message.cell();
    counter.mergePeers(cell.startMillis(), count.peers());
    counter.keepFresh(cell.startMillis(), asked.elapsedMillis());
    counter.confirm(cell.startMillis(), cell.count());
    check(counter, cell, count);
    List<OwnCell> cells = counter.takeSecondLook(asked.millis()) ? counter.cells() : List.of();
    if (!cells.isEmpty()) {
      read(counter, cells, OriginOperation.READ_STALE, asked.millis());
    }
    return true;
  }

  /** An origin that holds less than it confirmed has lost it, unless it may have let it go. */
  private void check(SharedCounter counter, OwnCell cell, RegionalCount count) {
    if (count.ownPart() < cell.confirmed() && mustKnow(counter, cell)) {
      forgotten = true;
    }
  }

  /**
   * Whether the origin must still know a cell: for three windows after its last count, of which one
   * is left for clocks that differ. One that begins in the future tells that a clock stepped back.
   */
  boolean mustKnow(SharedCounter counter, OwnCell cell) {
    long age = clock.millis() - cell.startMillis();
    return age >= 0 && age < 2 * counter.scope().windowMillis();
  }

  boolean hasForgotten() {
    return forgotten;
  }

  /** Begins to look out anew for signs that the origin has forgotten something. */
  void forgive() {
    forgotten = false;
  }

  /** Fails the calls that have waited too long. */
  void expire() {
    reads.expire();
    replays.expire();
    patrols.expire();
  }

  /** What is still under way comes to nothing, and nobody need hear of it. */
  void close() {
    closed = true;
    origin.close();
    reads.close();
    replays.close();
    patrols.close();
  }

  /** The part of the origin that stores a series. */
  String part(SharedCounter counter) {
    try {
      return Objects.requireNonNull(origin.part(region, series(counter)), "part");
    } catch (RuntimeException | Error e) { // of an adapter; calls go on, judged all together
      log.failed("looking up the part of a series", e);
      return "";
    }
  }

  private OwnCount ownCount(Message message) {
    OwnCell cell = message.cell();
    return new OwnCount(writer(cell), cell(message.counter(), cell), cell.count());
  }

  private Writer writer(OwnCell cell) {
    return new Writer(region, node + "." + Integer.toUnsignedString(cell.life(), 36));
  }

  private static List<WindowCell> cells(SharedCounter counter, List<OwnCell> own) {
    List<WindowCell> cells = new ArrayList<>(own.size());
    for (OwnCell cell : own) {
      cells.add(cell(counter, cell));
    }
    return cells;
  }

  private static WindowCell cell(SharedCounter counter, OwnCell cell) {
    return WindowCell.at(series(counter), cell.startMillis());
  }

  private static Series series(SharedCounter counter) {
    return new Series(counter.scope(), counter.identifier());
  }
}
