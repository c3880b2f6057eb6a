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
 * Bounds the calls to something outside that may be slow or gone: every call is answered or failed
 * in time, and while most calls to a part of it fail, no call to that part is made.
 */
public final class Guard {

  /**
   * Judged by the rate of failures, not their number: a handful among thousands of calls, as when
   * all windows roll over at once, is no outage.
   */
  private static final int FEWEST_CALLS = 20;

  private static final int PERIOD_SECONDS = 5;

  /** Where calls are so few that a period has hardly any, the last ones count. */
  private static final int LAST_CALLS = 6;

  /**
   * More parts than a Redis Cluster has masters. Beyond it, all parts are judged anew: the names of
   * parts come and go with failovers, and memory stays bounded.
   */
  private static final int MAX_PARTS = 1_024;

  /** How a call went. Reported once per call, when nothing more will come of it. */
  public interface Outcome {

    /** Everything was answered. */
    void answered(long nanos);

    /** Something was not; null as the cause if the call was not made. */
    void failed(@Nullable Throwable cause);

    /** Ignores everything. */
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

  /** The breaker of each part. */
  private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();

  /** Calls by deadline, nearly: it is the order in which they were made. */
  private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();

  private Guard(Duration timeout, Scheduler scheduler, Supplier<CircuitBreaker> newBreaker) {
    this.scheduler = scheduler;
    this.timeoutNanos = timeout.toNanos();
    this.newBreaker = newBreaker;
  }

  /**
   * A guard for one kind of call, of which there may be many a second.
   *
   * @param timeout how long to wait for an answer
   * @param pause how long to make no call when most of the last seconds have failed
   * @param scheduler whose time counts
   * @return the guard
   */
  public static Guard ofManyCalls(Duration timeout, Duration pause, Scheduler scheduler) {
    return new Guard(
        timeout,
        scheduler,
        () -> new CircuitBreaker(
            FailureRate.ofLastSeconds(PERIOD_SECONDS, FEWEST_CALLS), pause.toNanos()));
  }

  /**
   * A guard for one kind of call, of which there is one at a time.
   *
   * @param timeout how long to wait for an answer
   * @param pause how long to make no call when most of the last ones have failed
   * @param scheduler whose time counts
   * @return the guard
   */
  public static Guard ofFewCalls(Duration timeout, Duration pause, Scheduler scheduler) {
    return new Guard(
        timeout,
        scheduler,
        () -> new CircuitBreaker(FailureRate.ofLastCalls(LAST_CALLS), pause.toNanos()));
  }

  /**
   * Makes a call that has one or several answers, if calls to this part may be made. For the
   * breaker the call is good if one of its answers is.
   *
   * @param part what is called: failures of one part do not keep calls from another
   * @param call begins the call
   * @param outcome receives how it went
   * @return the answers, each of which arrives or fails in time; null if no call was made
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
    made.begin(call);
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

    private final CircuitBreaker.Permit permit;
    private final Outcome outcome;
    private final long beganNanos;
    private List<CompletableFuture<T>> answers = List.of();

    /** How many answers are out, and one more until all have been asked for. */
    private final AtomicInteger missing = new AtomicInteger(1);

    /** Whether one was good. */
    private final AtomicBoolean good = new AtomicBoolean();

    private volatile @Nullable Throwable lastFailure;

    Call(CircuitBreaker.Permit permit, Outcome outcome, long beganNanos) {
      this.permit = permit;
      this.outcome = outcome;
      this.beganNanos = beganNanos;
    }

    void begin(Supplier<List<CompletionStage<T>>> call) {
      List<CompletionStage<T>> stages;
      try {
        stages = call.get();
      } catch (RuntimeException | Error e) { // of an adapter, which may be anything
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
      } catch (RuntimeException | Error e) { // a stage of an adapter's own, or none at all
        answer.completeExceptionally(e);
      }
    }

    private void arrived(@Nullable Throwable failure) {
      if (failure != null) {
        lastFailure = failure;
      } else if (!good.getAndSet(true)) {
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
        if (!good.get()) {
          permit.failed(scheduler.elapsedNanos());
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
}
