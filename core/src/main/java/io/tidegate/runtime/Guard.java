package io.tidegate.runtime;

import io.tidegate.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the calls of one kind to a store that may be slow or unavailable: every call is answered
 * or failed in time, and while most calls to a part of the store fail, no call to that part is
 * made. The package page explains the rules.
 */
public final class Guard {

  /**
   * Minimum number of calls to judge. With fewer, a handful of timeouts when all windows rotate at
   * once would look like an outage.
   */
  private static final int MIN_CALLS = 20;

  /** Long enough for {@link #MIN_CALLS} under little load, short enough to react within seconds. */
  private static final int PERIOD_SECONDS = 5;

  /** Calls that are judged when they are made one at a time: some periods would have none. */
  private static final int LAST_CALLS = 6;

  /**
   * Maximum number of parts, more than a Redis Cluster has masters. Beyond it, all breakers are
   * discarded: names of parts change with failovers, and memory must stay bounded.
   */
  private static final int MAX_PARTS = 1_024;

  /** Receives the outcome of a call, once, when all its answers have arrived or failed. */
  public interface Outcome {

    /** All answers have arrived. */
    void answered(long nanos);

    /** An answer has failed; a null cause means that the call was not made. */
    void failed(@Nullable Throwable cause);

    /** Ignores all outcomes. */
    Outcome NONE = new Outcome() {
      @Override
      public void answered(long nanos) {}

      @Override
      public void failed(@Nullable Throwable cause) {}
    };
  }

  private final Scheduler scheduler;
  private final long timeoutNanos;
  private final Supplier<CircuitBreaker> newBreaker;

  /** Breakers by part. */
  private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();

  /** Calls in the order in which they were made, which is nearly the order of their deadlines. */
  private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();

  private Guard(Duration timeout, Scheduler scheduler, Supplier<CircuitBreaker> newBreaker) {
    this.scheduler = scheduler;
    this.timeoutNanos = timeout.toNanos();
    this.newBreaker = newBreaker;
  }

  /**
   * Creates a guard for frequent calls.
   *
   * @param timeout the time after which a call fails
   * @param pause how long calls are rejected when most calls of the last seconds have failed
   * @param scheduler the source of time
   * @return the guard
   */
  public static Guard ofManyCalls(Duration timeout, Duration pause, Scheduler scheduler) {
    return new Guard(
        timeout,
        scheduler,
        () -> new CircuitBreaker(
            FailureRate.ofLastSeconds(PERIOD_SECONDS, MIN_CALLS), pause.toNanos()));
  }

  /**
   * Creates a guard for calls that are made one at a time.
   *
   * @param timeout the time after which a call fails
   * @param pause how long calls are rejected when most of the last calls have failed
   * @param scheduler the source of time
   * @return the guard
   */
  public static Guard ofFewCalls(Duration timeout, Duration pause, Scheduler scheduler) {
    return new Guard(
        timeout,
        scheduler,
        () -> new CircuitBreaker(FailureRate.ofLastCalls(LAST_CALLS), pause.toNanos()));
  }

  /**
   * Makes a call with one or several answers, unless the breaker of the part rejects it. The
   * breaker counts a call as successful if at least one answer arrives: the part is available then.
   *
   * @param part the part of the store that is called
   * @param call starts the call
   * @param outcome receives the outcome
   * @return the answers, each of which arrives or fails in time; null if the call was rejected
   */
  public <T> @Nullable List<CompletableFuture<T>> call(
      String part, Supplier<List<CompletionStage<T>>> call, Outcome outcome) {
    long now = scheduler.elapsedNanos();
    CircuitBreaker.Permit permit = breaker(part).tryAcquire(now);
    if (permit == null) {
      outcome.failed(null);
      return null;
    }
    Call<T> made = new Call<>(permit, outcome, now);
    made.start(call);
    calls.add(made);
    return made.answers;
  }

  private CircuitBreaker breaker(String part) {
    CircuitBreaker known = breakers.get(part);
    if (known != null) {
      return known;
    }
    if (breakers.size() >= MAX_PARTS) {
      breakers.clear();
    }
    return breakers.computeIfAbsent(part, fresh -> newBreaker.get());
  }

  /**
   * Fails calls that have reached their timeout. Called every few milliseconds, by one thread at a
   * time.
   */
  public void expire() {
    long now = scheduler.elapsedNanos();
    for (Call<?> call; (call = calls.peek()) != null && call.isOver(now); ) {
      calls.remove(call); // first, because callbacks of the failure may call expire again
      if (!call.isAnswered()) {
        call.fail(new TimeoutException(
            "no answer within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms"));
      }
    }
  }

  /** Fails all calls in progress. */
  public void close() {
    for (Call<?> call; (call = calls.poll()) != null; ) {
      call.fail(new IllegalStateException("closed"));
    }
  }

  /** One call and its answers. */
  private final class Call<T> {

    private final CircuitBreaker.Permit permit;
    private final Outcome outcome;
    private final long startNanos;
    private List<CompletableFuture<T>> answers = List.of();

    /** Number of answers that are missing, plus one while the call is being started. */
    private final AtomicInteger missing = new AtomicInteger(1);

    /** Whether an answer has arrived. */
    private final AtomicBoolean succeeded = new AtomicBoolean();

    private volatile @Nullable Throwable lastFailure;

    Call(CircuitBreaker.Permit permit, Outcome outcome, long startNanos) {
      this.permit = permit;
      this.outcome = outcome;
      this.startNanos = startNanos;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whenComplete: the answer itself is returned
    void start(Supplier<List<CompletionStage<T>>> call) {
      List<CompletionStage<T>> stages;
      try {
        stages = call.get();
      } catch (RuntimeException | Error e) { // adapters may throw anything
        stages = List.of(CompletableFuture.failedFuture(e));
      }
      missing.addAndGet(stages.size());
      List<CompletableFuture<T>> made = new ArrayList<>(stages.size());
      for (int i = 0; i < stages.size(); i++) {
        made.add(new CompletableFuture<>());
      }
      answers = made;
      for (int i = 0; i < stages.size(); i++) {
        CompletableFuture<T> answer = made.get(i);
        answer.whenComplete((value, failure) -> arrived(failure));
        pass(stages.get(i), answer);
      }
      settleOne();
    }

    private void pass(CompletionStage<T> stage, CompletableFuture<T> answer) {
      try {
        stage.whenComplete((value, failure) -> {
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
      } catch (RuntimeException | Error e) { // a foreign implementation of a stage, or null
        answer.completeExceptionally(e);
      }
    }

    private void arrived(@Nullable Throwable failure) {
      if (failure != null) {
        lastFailure = failure;
      } else if (!succeeded.getAndSet(true)) {
        permit.succeeded(scheduler.elapsedNanos());
      }
      settleOne();
    }

    private void settleOne() {
      if (missing.decrementAndGet() > 0) {
        return;
      }
      Throwable failure = lastFailure;
      if (failure == null) {
        outcome.answered(nanos());
      } else {
        if (!succeeded.get()) {
          permit.failed(scheduler.elapsedNanos());
        }
        outcome.failed(failure);
      }
    }

    private long nanos() {
      return scheduler.elapsedNanos() - startNanos;
    }

    /** Whether all answers have arrived or failed. */
    boolean isAnswered() {
      return missing.get() == 0;
    }

    /** Whether all answers have arrived or failed, or the timeout has passed. */
    boolean isOver(long nowNanos) {
      return isAnswered() || nowNanos - startNanos >= timeoutNanos;
    }

    /** Fails the missing answers. */
    void fail(Exception cause) {
      answers.forEach(answer -> answer.completeExceptionally(cause));
    }
  }
}
