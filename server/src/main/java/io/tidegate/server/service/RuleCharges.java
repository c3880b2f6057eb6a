package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.server.service.RuleCharge.Mode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The descriptors of one request on their way to a decision. Used by one thread after the other.
 *
 * <p>A denied request is charged nothing, except for what gateways report as used already. So each
 * step knows whether an earlier one has denied the request, and then takes nothing.
 */
final class RuleCharges {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);
  private static final CompletableFuture<Boolean> ALLOWED = CompletableFuture.completedFuture(true);
  private static final CompletableFuture<Boolean> DENIED = CompletableFuture.completedFuture(false);

  private final RateLimiter limiter;
  private final List<RuleCharge> charges;
  private final InstantSource clock;
  private final Duration maxWait;
  private final long nowMillis;

  /** Whether no quota rule has room for the request. */
  private boolean quotasExhausted;

  RuleCharges(
      RateLimiter limiter, List<RuleCharge> charges, InstantSource clock, Duration maxWait) {
    this.limiter = limiter;
    this.charges = charges;
    this.clock = clock;
    this.maxWait = maxWait;
    this.nowMillis = clock.millis();
  }

  /** The time of all decisions. */
  long nowMillis() {
    return nowMillis;
  }

  /** Decides the request. Returns whether it is allowed. */
  CompletableFuture<Boolean> decide() {
    return charges.size() == 1 && charges.get(0).mode() == Mode.TOGETHER
        ? decideSingle(charges.get(0))
        : decideInSteps();
  }

  /**
   * Decides the most frequent kind of request, with one ordinary rule. The steps would come to the
   * same decision with more work.
   */
  private CompletableFuture<Boolean> decideSingle(RuleCharge charge) {
    CompletableFuture<Decision> decided =
        limiter.tryAcquireAsync(charge.request(), nowMillis, maxWait).toCompletableFuture();
    return isDone(decided)
        ? completed(charge.decided(decided.join()))
        : decided.thenApply(charge::decided);
  }

  private static CompletableFuture<Boolean> completed(boolean allowed) {
    return allowed ? ALLOWED : DENIED;
  }

  /** The steps of a request, in order. */
  private CompletableFuture<Boolean> decideInSteps() {
    return after(
        record(),
        () -> after(
            peekQuotas(),
            () -> after(decideTogether(), () -> after(decideAlone(), this::verdict))));
  }

  private static <T> CompletableFuture<T> after(
      CompletableFuture<?> step, Supplier<CompletableFuture<T>> next) {
    return isDone(step) ? next.get() : step.thenCompose(done -> next.get());
  }

  private CompletableFuture<?> record() {
    if (!has(Mode.RECORD)) {
      return DONE;
    }
    return each(
        Mode.RECORD,
        (charge, maxWait) -> limiter.recordAsync(charge.request(), nowMillis, maxWait),
        (charge, decision) -> charge.decided(decision, true));
  }

  /** Prevents that a request takes tokens of ordinary limits and is then denied by its quotas. */
  private CompletableFuture<?> peekQuotas() {
    if (!has(Mode.TOGETHER) || charges.stream().noneMatch(RuleCharge::isQuota)) {
      return DONE;
    }
    CompletableFuture<?> peeked = each(
        Mode.ALONE,
        (charge, maxWait) -> limiter.tryAcquireAsync(charge.peek(), nowMillis, maxWait),
        (charge, decision) -> charge.decided(decision, false));
    return after(peeked, () -> {
      quotasExhausted = areQuotasOver();
      return DONE;
    });
  }

  private CompletableFuture<?> decideTogether() {
    List<RuleCharge> together = new ArrayList<>(charges.size());
    for (RuleCharge charge : charges) {
      if (charge.mode() == Mode.TOGETHER) {
        together.add(charge);
      }
    }
    if (together.isEmpty()) {
      return DONE;
    }
    boolean take = !isDenied();
    return together.size() == 1 ? decideOne(together.get(0), take) : decideBatch(together, take);
  }

  private CompletableFuture<?> decideOne(RuleCharge charge, boolean take) {
    return then(
        limiter.tryAcquireAsync(
            take ? charge.request() : charge.peek(), nowMillis, remainingWait()),
        decision -> charge.decided(decision, take && decision.allowed()));
  }

  private CompletableFuture<?> decideBatch(List<RuleCharge> batch, boolean take) {
    List<LimitRequest> requests = new ArrayList<>(batch.size());
    for (RuleCharge charge : batch) {
      requests.add(take ? charge.request() : charge.peek());
    }
    CompletionStage<BatchDecision> decided =
        limiter.tryAcquireAllAsync(requests, nowMillis, remainingWait());
    return then(decided, decision -> {
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).decided(decision.decisions().get(i), take && decision.allowed());
      }
    });
  }

  private CompletableFuture<?> decideAlone() {
    if (!has(Mode.ALONE)) {
      return DONE;
    }
    boolean take = !isDenied();
    return each(
        Mode.ALONE,
        (charge, maxWait) -> limiter.tryAcquireAsync(
            takes(charge, take) ? charge.request() : charge.peek(), nowMillis, maxWait),
        (charge, decision) -> charge.decided(decision, takes(charge, take) && decision.allowed()));
  }

  /** Exhausted quotas are asked again with the hits: one may have room meanwhile. */
  private boolean takes(RuleCharge charge, boolean take) {
    return take || (quotasExhausted && charge.isQuota());
  }

  private CompletableFuture<Boolean> verdict() {
    quotasExhausted = areQuotasOver();
    return completed(!isDenied());
  }

  private boolean isDenied() {
    for (RuleCharge charge : charges) {
      if (charge.denies()) {
        return true;
      }
    }
    return quotasExhausted;
  }

  /** Whether there are quota rules, and all are exceeded. */
  private boolean areQuotasOver() {
    boolean any = false;
    for (RuleCharge charge : charges) {
      if (charge.isQuota()) {
        if (!charge.isOver()) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  private boolean has(Mode mode) {
    for (RuleCharge charge : charges) {
      if (charge.mode() == mode) {
        return true;
      }
    }
    return false;
  }

  /** Calls the limiter for each charge of a mode. */
  private CompletableFuture<?> each(
      Mode mode,
      BiFunction<RuleCharge, Duration, CompletionStage<Decision>> call,
      BiConsumer<RuleCharge, Decision> decided) {
    List<CompletableFuture<?>> pending = new ArrayList<>();
    for (RuleCharge charge : charges) {
      if (charge.mode() == mode) {
        CompletableFuture<?> step =
            then(call.apply(charge, remainingWait()), decision -> decided.accept(charge, decision));
        if (!isDone(step)) {
          pending.add(step);
        }
      }
    }
    return pending.isEmpty()
        ? DONE
        : CompletableFuture.allOf(pending.toArray(CompletableFuture<?>[]::new));
  }

  private static <T> CompletableFuture<?> then(CompletionStage<T> stage, Consumer<T> next) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (isDone(future)) {
      next.accept(future.join());
      return DONE;
    }
    return future.thenAccept(next);
  }

  private static boolean isDone(CompletableFuture<?> future) {
    return future.isDone() && !future.isCompletedExceptionally();
  }

  /** All steps together wait no longer than the request may. */
  private Duration remainingWait() {
    long deadlineMillis = nowMillis + maxWait.toMillis();
    return Duration.ofMillis(Math.max(0, deadlineMillis - clock.millis()));
  }
}
