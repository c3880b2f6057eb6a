package io.tidegate.regional;

import io.tidegate.local.SharedCounter;
import io.tidegate.local.SharedCounter.OwnCell;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.runtime.FailureLog;
import io.tidegate.runtime.Guard;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.OriginFailure;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import io.tidegate.spi.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The region's origin as a node sees it: every call is guarded, and every answer goes into the
 * counters, even one that comes when nobody waits for it any more.
 */
final class Origin {

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
  private final LimiterObserver observer;

  /** Whether an answer has shown that the origin lost what it had confirmed. */
  private volatile boolean forgotten;

  private volatile boolean closed;

  /** Apart, because an origin may refuse to write and still read, as when its memory is full. */
  private final Guard reads;

  private final Guard background;
  private final Map<OriginOperation, Guard.Outcome> outcomes = new EnumMap<>(OriginOperation.class);

  Origin(
      RegionalOrigin origin,
      String region,
      String node,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.origin = origin;
    this.region = region;
    this.node = node;
    this.observer = observer;
    this.reads = new Guard("origin reads", READ_TIMEOUT, READ_PAUSE, scheduler);
    this.background =
        new Guard("origin background", BACKGROUND_TIMEOUT, BACKGROUND_PAUSE, scheduler);
    FailureLog readLog = new FailureLog(
        "The origin of region " + region + " cannot be read; decisions rest on this node's counts",
        "The origin of region " + region + " can be read again",
        scheduler);
    FailureLog replayLog = new FailureLog(
        "The origin of region " + region + " does not take counts; they are kept and sent again",
        "The origin of region " + region + " takes counts again",
        scheduler);
    for (OriginOperation operation : OriginOperation.values()) {
      boolean replay = operation == OriginOperation.REPLAY;
      outcomes.put(operation, new Told(operation, replay ? replayLog : readLog));
    }
  }

  /**
   * Reads both cells of a series.
   *
   * @param own the cells, the current one first
   * @return whether there is an answer, which may come late and then changes the counter all the
   *     same; null if no call was made
   */
  @Nullable
  CompletableFuture<Boolean> read(
      SharedCounter counter, List<OwnCell> own, OriginOperation operation, long nowMillis) {
    Guard guard = operation == OriginOperation.PATROL ? background : reads;
    List<CompletableFuture<Boolean>> answers = guard.call(
        () -> List.of(origin
            .read(writer(counter), own.stream().map(cell -> cell(counter, cell)).toList())
            .thenApply(counts -> merge(counter, own, counts, nowMillis))),
        outcomes.get(operation));
    return answers == null ? null : answers.get(0);
  }

  private boolean merge(
      SharedCounter counter, List<OwnCell> own, List<RegionalCount> counts, long nowMillis) {
    for (int i = 0; i < own.size(); i++) {
      counter.mergePeers(own.get(i).startMillis(), counts.get(i).peers());
      if (counts.get(i).ownPart() < own.get(i).confirmed()) {
        forgotten = true;
      }
    }
    counter.refreshed(own.get(0).startMillis(), nowMillis);
    return true;
  }

  /** An own count of a counter, on its way. */
  record Message(SharedCounter counter, OwnCell cell) {}

  /**
   * Tells own counts.
   *
   * @return for each message whether it was confirmed, or a failure; null if no call was made
   */
  @Nullable
  List<CompletableFuture<Boolean>> replay(List<Message> messages, long nowMillis) {
    return background.call(
        () -> {
          List<CompletionStage<RegionalCount>> stages =
              origin.replay(messages.stream().map(this::ownCount).toList());
          List<CompletionStage<Boolean>> merged = new ArrayList<>(messages.size());
          for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            merged.add(stages.get(i).thenApply(count -> merge(message, count, nowMillis)));
          }
          return merged;
        },
        outcomes.get(OriginOperation.REPLAY));
  }

  /**
   * An origin that had lost the count may have made the cell anew without an end to its life: then
   * the count is not confirmed, so that it is sent once more, as the first one.
   */
  private boolean merge(Message message, RegionalCount count, long nowMillis) {
    SharedCounter counter = message.counter();
    OwnCell cell = message.cell();
    counter.mergePeers(cell.startMillis(), count.peers());
    counter.keepFresh(cell.startMillis(), nowMillis);
    if (count.ownPart() < cell.confirmed()) {
      counter.unconfirm();
      forgotten = true;
      return false;
    }
    counter.confirm(cell.startMillis(), cell.count());
    return true;
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
    background.expire();
  }

  /** What is still under way comes to nothing, and nobody need hear of it. */
  void close() {
    closed = true;
    origin.close();
  }

  private OwnCount ownCount(Message message) {
    OwnCell cell = message.cell();
    return new OwnCount(
        writer(message.counter()), cell(message.counter(), cell), cell.count(), cell.confirmed());
  }

  private Writer writer(SharedCounter counter) {
    return new Writer(region, node + "." + Integer.toUnsignedString(counter.life(), 36));
  }

  private static WindowCell cell(SharedCounter counter, OwnCell cell) {
    return WindowCell.at(new Series(counter.scope(), counter.identifier()), cell.startMillis());
  }

  /** Tells the observer and the log how the calls of one operation go. */
  private final class Told implements Guard.Outcome {

    private final OriginOperation operation;
    private final FailureLog log;

    Told(OriginOperation operation, FailureLog log) {
      this.operation = operation;
      this.log = log;
    }

    @Override
    public void answered(long nanos) {
      log.worked();
      observer.originAnswered(operation, nanos);
    }

    @Override
    public void failed(@Nullable Throwable cause) {
      if (closed) {
        return;
      }
      if (cause != null) { // what was not even tried would only fill the log
        log.failed(cause);
      }
      observer.originFailed(operation, reason(cause));
    }
  }

  static OriginFailure reason(@Nullable Throwable cause) {
    if (cause == null) {
      return OriginFailure.CIRCUIT_OPEN;
    }
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof TimeoutException) {
        return OriginFailure.TIMEOUT;
      }
    }
    return OriginFailure.OTHER;
  }
}
