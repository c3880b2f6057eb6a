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

  /**
   * How long requests for a series do not wait after a read of it failed, if none is tried again:
   * longer than a retry and its timeout, so that in an outage each series waits once; short enough
   * that one failure does not leave a series unread when the origin is well again.
   */
  private static final long NO_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private static final CompletableFuture<Boolean> FAILED = CompletableFuture.completedFuture(false);

  /** A read under way: whoever needs another cell cannot do with it. */
  private record Flight(SharedCounter counter, long startMillis) {}

  /**
   * What comes of a read under way.
   *
   * @param answered completes with whether the origin has answered
   * @param awaited whether requests wait for it: all that join, or none
   * @param startedNanos when it began
   */
  private record Landing(CompletableFuture<Boolean> answered, boolean awaited, long startedNanos) {

    /** Whether a request that joins waits: not if a read of another cell has failed meanwhile. */
    boolean isAwaited(SharedCounter counter, long nowNanos) {
      return awaited && !counter.readFailedWithin(nowNanos - startedNanos, nowNanos);
    }
  }

  private final ConcurrentHashMap<Flight, Landing> flights = new ConcurrentHashMap<>();
  private final GuardedOrigin origin;
  private final Scheduler scheduler;

  Refresher(GuardedOrigin origin, Scheduler scheduler) {
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
    List<OwnCell> cells = counter.cells(nowMillis);
    if (cells.isEmpty()) {
      return FAILED; // gone
    }
    long now = scheduler.elapsedNanos();
    Flight flight = new Flight(counter, cells.get(0).startMillis());
    Landing landing = flights.get(flight);
    if (landing == null) {
      if (counter.readFailedWithin(RETRY_NANOS, now)) {
        return FAILED;
      }
      boolean awaited = !counter.readFailedWithin(NO_WAIT_NANOS, now);
      landing = start(flight, awaited, cells, nowMillis);
    }
    return landing.isAwaited(counter, now) || landing.answered().isDone()
        ? landing.answered()
        : FAILED;
  }

  private Landing start(Flight flight, boolean awaited, List<OwnCell> cells, long nowMillis) {
    Landing landing = new Landing(new CompletableFuture<>(), awaited, scheduler.elapsedNanos());
    Landing other = flights.putIfAbsent(flight, landing);
    if (other != null) {
      return other;
    }
    OriginOperation operation = reason(flight.counter(), nowMillis);
    CompletableFuture<Boolean> read = origin.read(flight.counter(), cells, operation, nowMillis);
    if (read == null) {
      land(flight, landing, false);
    } else {
      read.whenComplete((answered, failure) -> land(flight, landing, failure == null));
    }
    return landing;
  }

  private void land(Flight flight, Landing landing, boolean answered) {
    if (answered) {
      flight.counter().readSucceeded();
    } else {
      flight.counter().readFailed(scheduler.elapsedNanos());
    }
    flights.remove(flight, landing);
    landing.answered().complete(answered);
  }

  private static OriginOperation reason(SharedCounter counter, long nowMillis) {
    if (counter.isCold()) {
      return OriginOperation.READ_COLD;
    }
    return counter.isStrict(nowMillis) ? OriginOperation.READ_STRICT : OriginOperation.READ_STALE;
  }
}
