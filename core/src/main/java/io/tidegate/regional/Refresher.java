package io.tidegate.regional;

import io.tidegate.local.OwnCell;
import io.tidegate.local.SharedCounter;
import io.tidegate.model.OriginCounts;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Scheduler;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads series from the origin before decisions: one read at a time for each cell of a series,
 * which all other requests for it join. Used by any thread.
 *
 * <p>Built before the store, which asks for refreshes, and before the {@link RegionalLayer}.
 */
public final class Refresher {

  private static final CompletableFuture<Boolean> FAILED = CompletableFuture.completedFuture(false);

  /** The subject of a read. A request that needs another cell cannot join it. */
  private record Subject(SharedCounter counter, long startMillis) {}

  /**
   * A read under way.
   *
   * @param answered completes with whether the origin has answered
   * @param awaited whether requests wait for it: all that join, or none
   * @param startedNanos when it began
   */
  private record Read(CompletableFuture<Boolean> answered, boolean awaited, long startedNanos) {

    /** Whether a request that joins waits: not if a read of another cell has failed meanwhile. */
    boolean isAwaited(SharedCounter counter, long nowNanos) {
      return awaited && !counter.readFailedWithin(nowNanos - startedNanos, nowNanos);
    }
  }

  private final ConcurrentHashMap<Subject, Read> reads = new ConcurrentHashMap<>();
  private final GuardedOrigin origin;
  private final Scheduler scheduler;
  private volatile boolean closed;

  /**
   * A refresher of one node.
   *
   * @param node a name that no other node of the region has or had
   */
  public Refresher(
      RegionalOrigin origin,
      String region,
      String node,
      InstantSource clock,
      Scheduler scheduler,
      LimiterObserver observer) {
    this.origin = new GuardedOrigin(origin, region, node, clock, scheduler, observer);
    this.scheduler = scheduler;
  }

  GuardedOrigin origin() {
    return origin;
  }

  /**
   * Reads a series, or joins the read that is under way. Never completes exceptionally.
   *
   * @return whether the origin has answered; complete already if there is nothing to wait for, as
   *     while reads of this series fail
   */
  public CompletableFuture<Boolean> refresh(SharedCounter counter, long nowMillis) {
    long now = scheduler.elapsedNanos();
    Read read = reads.get(new Subject(counter, counter.startMillis(nowMillis)));
    if (read == null) {
      if (closed || counter.readFailedWithin(RegionalTimings.READ_RETRY_NANOS, now)) {
        return FAILED;
      }
      List<OwnCell> cells = counter.cells();
      if (cells.isEmpty()) {
        return FAILED; // the series was removed
      }
      boolean awaited = !counter.readFailedWithin(RegionalTimings.NO_WAIT_NANOS, now);
      Subject subject = new Subject(counter, cells.get(0).startMillis());
      read = start(subject, awaited, cells, nowMillis);
    }
    return read.isAwaited(counter, now) || read.answered().isDone() ? read.answered() : FAILED;
  }

  /**
   * Reads all counts of a cell and of the one before it, for operators. Merges nothing.
   *
   * @return the counts of the cell and of the one before it, or a failure; null if no call was made
   */
  public @Nullable CompletableFuture<List<OriginCounts>> inspect(WindowCell current) {
    return origin.inspect(current);
  }

  /** Starts no more reads. */
  void close() {
    closed = true;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // end() handles failures too
  private Read start(Subject subject, boolean awaited, List<OwnCell> cells, long nowMillis) {
    Read read = new Read(new CompletableFuture<>(), awaited, scheduler.elapsedNanos());
    Read other = reads.putIfAbsent(subject, read);
    if (other != null) {
      return other;
    }
    OriginOperation operation = reason(subject.counter(), nowMillis);
    CompletableFuture<Boolean> answer = origin.read(subject.counter(), cells, operation, nowMillis);
    if (answer == null) {
      end(subject, read, false);
    } else {
      answer.whenComplete((answered, failure) -> end(subject, read, failure == null));
    }
    return read;
  }

  private void end(Subject subject, Read read, boolean answered) {
    if (answered) {
      subject.counter().readSucceeded();
    } else {
      subject.counter().readFailed(scheduler.elapsedNanos());
    }
    reads.remove(subject, read);
    read.answered().complete(answered);
  }

  private static OriginOperation reason(SharedCounter counter, long nowMillis) {
    if (counter.isCold()) {
      return OriginOperation.READ_COLD;
    }
    if (counter.isStrict(nowMillis)) {
      return OriginOperation.READ_STRICT;
    }
    return counter.isFresh(nowMillis) ? OriginOperation.READ_SHARE : OriginOperation.READ_STALE;
  }
}
