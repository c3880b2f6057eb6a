package io.tidegate.runtime;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.tidegate.spi.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the limiter and something outside that may be slow or gone: no call stays
 * unanswered, and while most of them fail, none is made.
 */
public final class Guard {

  /**
   * By the rate of failures, not their number: a handful among thousands of calls, as when all
   * windows roll over at once, is no outage.
   */
  private static final int FAILURE_PERCENT = 50;

  private static final int FEWEST_CALLS = 20;
  private static final int PERIOD_SECONDS = 5;

  /** Where calls are so few that a period has hardly any, the last ones count. */
  private static final int LAST_CALLS = 6;

  /** One tells enough; the failures of several might be old by the time the last one is made. */
  private static final int PROBES = 1;

  /** How a call went. Told once per call, when nothing more will come of it. */
  public interface Outcome {

    /** Everything was answered. */
    void answered(long nanos);

    /** Something was not; null as the cause if the call was not made. */
    void failed(@Nullable Throwable cause);
  }

  private final Scheduler scheduler;
  private final long timeoutNanos;
  private final CircuitBreaker breaker;

  /** Calls by deadline, nearly: it is the order in which they were made. */
  private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();

  private Guard(
      String name,
      Duration timeout,
      Duration pause,
      Scheduler scheduler,
      CircuitBreakerConfig.Builder judging) {
    this.scheduler = scheduler;
    this.timeoutNanos = timeout.toNanos();
    this.breaker = CircuitBreaker.of(
        name,
        judging
            .failureRateThreshold(FAILURE_PERCENT)
            .waitDurationInOpenState(pause)
            .permittedNumberOfCallsInHalfOpenState(PROBES)
            .writableStackTraceEnabled(false)
            .clock(new ElapsedTime(scheduler))
            .build());
  }

  /**
   * A guard for one kind of call, of which there may be many a second.
   *
   * @param name what is guarded
   * @param timeout how long to wait for an answer
   * @param pause how long to make no call when most of the last seconds have failed
   * @param scheduler whose time counts
   * @return the guard
   */
  public static Guard ofManyCalls(
      String name, Duration timeout, Duration pause, Scheduler scheduler) {
    return new Guard(
        name,
        timeout,
        pause,
        scheduler,
        CircuitBreakerConfig.custom()
            .slidingWindow(
                PERIOD_SECONDS, FEWEST_CALLS, CircuitBreakerConfig.SlidingWindowType.TIME_BASED));
  }

  /**
   * A guard for one kind of call, of which there is one at a time.
   *
   * @param name what is guarded
   * @param timeout how long to wait for an answer
   * @param pause how long to make no call when most of the last ones have failed
   * @param scheduler whose time counts
   * @return the guard
   */
  public static Guard ofFewCalls(
      String name, Duration timeout, Duration pause, Scheduler scheduler) {
    return new Guard(
        name,
        timeout,
        pause,
        scheduler,
        CircuitBreakerConfig.custom()
            .slidingWindow(
                LAST_CALLS, LAST_CALLS, CircuitBreakerConfig.SlidingWindowType.COUNT_BASED));
  }

  /**
   * Makes a call that has one or several answers, if calls may be made. For the breaker it is good
   * if one of them is: of a cluster, a part may be gone.
   *
   * @param call begins the call
   * @param outcome is told how it went
   * @return the answers, each of which comes or fails in time; null if no call was made
   */
  public <T> @Nullable List<CompletableFuture<T>> call(
      Supplier<List<CompletionStage<T>>> call, Outcome outcome) {
    if (!breaker.tryAcquirePermission()) {
      outcome.failed(null);
      return null;
    }
    Call<T> made = new Call<>(outcome, scheduler.elapsedNanos());
    made.begin(call);
    calls.add(made);
    return made.answers;
  }

  /**
   * Fails what has waited too long. To be called every few milliseconds, by one thread at a time.
   */
  public void expire() {
    long now = scheduler.elapsedNanos();
    for (Call<?> call; (call = calls.peek()) != null && call.isOver(now); ) {
      calls.remove(call); // before failing it: whoever hears of that may come here again
      if (!call.isAnswered()) {
        call.fail(new TimeoutException(
            "no answer within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms"));
      }
    }
  }

  /** Fails all that is under way. */
  public void close() {
    for (Call<?> call; (call = calls.poll()) != null; ) {
      call.fail(new IllegalStateException("closed"));
    }
  }

  /** One call, and what is known of its answers. */
  private final class Call<T> {

    private final Outcome outcome;
    private final long beganNanos;
    private List<CompletableFuture<T>> answers = List.of();

    /** How many answers are out, and one more until all have been asked for. */
    private final AtomicInteger missing = new AtomicInteger(1);

    /** Whether one was good. */
    private final AtomicBoolean good = new AtomicBoolean();

    private volatile @Nullable Throwable lastFailure;

    Call(Outcome outcome, long beganNanos) {
      this.outcome = outcome;
      this.beganNanos = beganNanos;
    }

    void begin(Supplier<List<CompletionStage<T>>> call) {
      List<CompletionStage<T>> stages;
      try {
        stages = call.get();
      } catch (RuntimeException | Error e) { // whatever it is, whoever waits has to hear of it
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
        stages.get(i).whenComplete((value, failure) -> {
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
      }
      settleOne();
    }

    private void arrived(@Nullable Throwable failure) {
      if (failure != null) {
        lastFailure = failure;
      } else if (!good.getAndSet(true)) {
        breaker.onSuccess(nanos(), TimeUnit.NANOSECONDS);
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
        if (!good.get()) {
          breaker.onError(nanos(), TimeUnit.NANOSECONDS, failure);
        }
        outcome.failed(failure);
      }
    }

    private long nanos() {
      return scheduler.elapsedNanos() - beganNanos;
    }

    /** Whether it has all its answers. */
    boolean isAnswered() {
      return missing.get() == 0;
    }

    /** Whether it has all its answers, or has waited long enough for them. */
    boolean isOver(long nowNanos) {
      return isAnswered() || nowNanos - beganNanos >= timeoutNanos;
    }

    /** Fails the answers that are missing. */
    void fail(Exception cause) {
      answers.forEach(answer -> answer.completeExceptionally(cause));
    }
  }

  /** The scheduler's time as a clock, for the breaker: it must not depend on the time of day. */
  private static final class ElapsedTime extends Clock {

    private final Scheduler scheduler;

    ElapsedTime(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(0, scheduler.elapsedNanos());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
