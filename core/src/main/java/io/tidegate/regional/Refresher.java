package io.tidegate.regional;

import io.tidegate.local.SharedCounter;
import io.tidegate.local.SharedCounter.OwnCell;
import io.tidegate.spi.LimiterObserver.OriginOperation;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads a series from the origin before it is decided on: one read at a time per series, for which
 * everybody else waits too.
 */
final class Refresher {

  /** After a read that failed: an origin in trouble must not be asked once per request. */
  private static final long RETRY_NANOS = Duration.ofMillis(300).toNanos();

  private static final CompletableFuture<Boolean> FAILED = CompletableFuture.completedFuture(false);

  private final ConcurrentHashMap<SharedCounter, CompletableFuture<Boolean>> flights =
      new ConcurrentHashMap<>();
  private final Origin origin;
  private final Scheduler scheduler;

  Refresher(Origin origin, Scheduler scheduler) {
    this.origin = origin;
    this.scheduler = scheduler;
  }

  /**
   * Reads a series, or joins the read that is under way.
   *
   * @return whether the origin has answered; complete if there is nothing to wait for, as while
   *     reads of this series fail
   */
  CompletableFuture<Boolean> refresh(SharedCounter counter, long nowMillis) {
    boolean waitingHelps = !counter.lastReadFailed();
    CompletableFuture<Boolean> flight = flights.get(counter);
    if (flight == null) {
      flight = counter.mayRead(scheduler.elapsedNanos()) ? start(counter, nowMillis) : FAILED;
    }
    return flight.isDone() || waitingHelps ? flight : FAILED;
  }

  private CompletableFuture<Boolean> start(SharedCounter counter, long nowMillis) {
    CompletableFuture<Boolean> flight = new CompletableFuture<>();
    CompletableFuture<Boolean> other = flights.putIfAbsent(counter, flight);
    if (other != null) {
      return other;
    }
    OriginOperation operation = reason(counter, nowMillis);
    List<OwnCell> cells = counter.cells(nowMillis);
    CompletableFuture<Boolean> read =
        cells.isEmpty() ? null : origin.read(counter, cells, operation, nowMillis);
    if (read == null) {
      land(counter, flight, false);
    } else {
      read.whenComplete((answered, failure) -> land(counter, flight, failure == null));
    }
    return flight;
  }

  private void land(SharedCounter counter, CompletableFuture<Boolean> flight, boolean answered) {
    if (answered) {
      counter.readSucceeded();
    } else {
      counter.readFailed(scheduler.elapsedNanos() + RETRY_NANOS);
    }
    flights.remove(counter, flight);
    flight.complete(answered);
  }

  private static OriginOperation reason(SharedCounter counter, long nowMillis) {
    if (counter.isCold()) {
      return OriginOperation.READ_COLD;
    }
    return counter.isStrict(nowMillis) ? OriginOperation.READ_STRICT : OriginOperation.READ_STALE;
  }
}
