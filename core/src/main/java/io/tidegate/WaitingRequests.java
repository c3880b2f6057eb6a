package io.tidegate;

import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.regional.RegionalLayer;
import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait until their limit has room.
 *
 * <p>The requests for one series form a queue. Only the first one is decided on; if it is denied,
 * it is decided on again after exactly the time that the denial states. All requests behind it wait
 * at least as long, so those with an earlier deadline fail at once, and a queue needs one timer
 * only. A queue exists while it has requests.
 *
 * <p>Any thread may call. No lock is held while a decision is made, a future is completed or the
 * scheduler is called, since all of these may run code of others.
 */
final class WaitingRequests {

  /** Bounds the memory of a queue to about 2 MB. */
  static final int MAX_QUEUE_LENGTH = 10_000;

  /** Longer than any wait for a limit, which takes two windows at most; nanoseconds fit a long. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(1_000);

  private final Decider decider;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Map<Series, Queue> queues = new ConcurrentHashMap<>();

  WaitingRequests(Decider decider, InstantSource clock, Scheduler scheduler) {
    this.decider = decider;
    this.clock = clock;
    this.scheduler = scheduler;
  }

  /** Completes with true when the request is admitted, or with false once waiting is in vain. */
  @SuppressWarnings("FutureReturnValueIgnored") // leaving a queue does not throw
  CompletableFuture<Boolean> acquire(LimitRequest request, Duration maxWait) {
    Objects.requireNonNull(request, "request must not be null");
    if (Objects.requireNonNull(maxWait, "maxWait must not be null").isNegative()) {
      throw new IllegalArgumentException("maxWait must not be negative: " + maxWait);
    }
    Duration wait = maxWait.compareTo(LONGEST_WAIT) < 0 ? maxWait : LONGEST_WAIT;
    Waiter waiter = new Waiter(request, scheduler.elapsedNanos() + wait.toNanos());
    Queue queue = queues.compute(
        new Series(request.scope(), request.identifier()),
        (series, present) -> (present == null ? new Queue(series) : present).with(waiter));
    waiter.whenComplete((admitted, failure) -> queue.leave(waiter)); // if the caller cancels it
    queue.joined(waiter);
    return waiter;
  }

  /** Waits for a request; if interrupted, cancels it unless it is complete already. */
  static boolean await(CompletableFuture<Boolean> admitted) throws InterruptedException {
    try {
      return admitted.get();
    } catch (InterruptedException e) {
      if (admitted.cancel(false)) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return admitted.join();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new CompletionException(e.getCause());
    }
  }

  /** The number of series with waiting requests. */
  int queues() {
    return queues.size();
  }

  private static final class Waiter extends CompletableFuture<Boolean> {

    private final LimitRequest request;
    private final long deadlineNanos;

    Waiter(LimitRequest request, long deadlineNanos) {
      this.request = request;
      this.deadlineNanos = deadlineNanos;
    }

    boolean mustEndBefore(long nanos) {
      return deadlineNanos - nanos < 0;
    }
  }

  /** The waiting requests for one series, in the order of their arrival. */
  private final class Queue {

    private final Series series;

    // The fields below are guarded by the monitor of this object.

    private final Set<Waiter> waiters = new LinkedHashSet<>();

    /** Whether a thread decides on the first request, or a read of the origin for it is pending. */
    private boolean serving;

    /** Whether the first request was denied and waits for {@link #retryNanos}. */
    private boolean waiting;

    private long retryNanos;

    /** Number of waits so far, by which a timer that starts too late is recognized. */
    private long waits;

    private Scheduler.@Nullable Task timer;

    Queue(Series series) {
      this.series = series;
    }

    synchronized Queue with(Waiter waiter) {
      waiters.add(waiter);
      return this;
    }

    /**
     * Ends a request. It leaves the queue first: dependents of a future may run late, on a thread
     * that waits for it, and a request that is still in the queue would be charged again.
     */
    private void end(Waiter waiter, boolean admitted) {
      remove(waiter);
      waiter.complete(admitted);
    }

    private synchronized void remove(Waiter waiter) {
      waiters.remove(waiter);
    }

    synchronized boolean isEmpty() {
      return waiters.isEmpty();
    }

    void joined(Waiter waiter) {
      boolean inVain;
      synchronized (this) {
        inVain = waiters.size() > MAX_QUEUE_LENGTH || (waiting && waiter.mustEndBefore(retryNanos));
      }
      if (inVain) {
        end(waiter, false);
      } else {
        serveUnlessWaiting();
      }
    }

    /** Removes a cancelled request. If it was the first, the next one need not wait for it. */
    void leave(Waiter waiter) {
      boolean first;
      synchronized (this) {
        first = !waiters.isEmpty() && waiters.iterator().next() == waiter;
        waiters.remove(waiter);
      }
      if (first) {
        retry();
      }
    }

    private void serveUnlessWaiting() {
      synchronized (this) {
        if (serving || waiting) {
          return;
        }
        serving = true;
      }
      serve();
    }

    /** Decides on the first request until one has to wait. One thread at a time. */
    @SuppressWarnings("FutureReturnValueIgnored") // failures go to the waiting request
    private void serve() {
      Waiter first = first();
      while (first != null) {
        CompletableFuture<Decision> decision = decide(first);
        if (!decision.isDone()) {
          Waiter pending = first;
          decision.whenComplete((done, failure) -> {
            if (settle(pending, decision)) {
              serve();
            }
          });
          return;
        }
        if (!settle(first, decision)) {
          return;
        }
        first = first();
      }
      queues.computeIfPresent(series, (same, queue) -> queue.isEmpty() ? null : queue);
    }

    private synchronized @Nullable Waiter first() {
      serving = !waiters.isEmpty();
      return serving ? waiters.iterator().next() : null;
    }

    private CompletableFuture<Decision> decide(Waiter waiter) {
      long left = Math.max(0, waiter.deadlineNanos - scheduler.elapsedNanos());
      Duration maxWait = Duration.ofNanos(Math.min(left, RegionalLayer.LONGEST_WAIT.toNanos()));
      try {
        return decider.decideAsync(waiter.request, clock.millis(), maxWait);
      } catch (RuntimeException e) { // such as a clock that is out of bounds
        return CompletableFuture.failedFuture(e);
      }
    }

    /** Returns whether to go on with the next request. */
    private boolean settle(Waiter waiter, CompletableFuture<Decision> done) {
      Decision decision;
      try {
        decision = done.join();
      } catch (RuntimeException e) {
        remove(waiter);
        waiter.completeExceptionally(e);
        return true;
      }
      if (decision.allowed()) {
        end(waiter, true);
        return true;
      }
      Optional<Duration> retryAfter = decision.retryAfter();
      if (retryAfter.isPresent()) {
        return !hasToWait(waiter, retryAfter.get());
      }
      end(waiter, false);
      return true;
    }

    /** Starts a wait, unless the request cannot wait that long or was cancelled. */
    private boolean hasToWait(Waiter waiter, Duration wait) {
      long retry = scheduler.elapsedNanos() + wait.toNanos();
      if (waiter.mustEndBefore(retry)) {
        end(waiter, false);
        return false;
      }
      List<Waiter> inVain = new ArrayList<>();
      long number;
      synchronized (this) {
        if (!waiters.contains(waiter)) {
          return false;
        }
        serving = false;
        waiting = true;
        retryNanos = retry;
        number = ++waits;
        for (Waiter behind : waiters) {
          if (behind.mustEndBefore(retry)) {
            inVain.add(behind);
          }
        }
      }
      startTimer(number, wait);
      for (Waiter behind : inVain) {
        end(behind, false);
      }
      return true;
    }

    private void startTimer(long number, Duration wait) {
      Scheduler.Task task = scheduler.every(wait, this::retry);
      boolean over;
      synchronized (this) {
        over = !waiting || waits != number;
        if (!over) {
          timer = task;
        }
      }
      if (over) {
        task.cancel();
      }
    }

    /** Of a timer that is out of date, this is an early attempt, which does no harm. */
    private void retry() {
      stopWaiting();
      serveUnlessWaiting();
    }

    private void stopWaiting() {
      Scheduler.Task task;
      synchronized (this) {
        waiting = false;
        task = timer;
        timer = null;
      }
      if (task != null) {
        task.cancel();
      }
    }
  }
}
