package io.tidegate.server.service;

import io.tidegate.server.service.ServiceResult.Refused;
import io.tidegate.server.service.ServiceResult.Success;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A step of a request: finished with a result, or waiting for one.
 *
 * <p>Nearly all steps finish at once. The next step then runs immediately, on the same thread and
 * without a future, which keeps the common request as cheap as a sequence of method calls.
 *
 * @param <T> the value of the step
 */
final class Step<T> {

  /** Null while the step waits. */
  private final @Nullable ServiceResult<T> result;

  /** Null if the step finished at once. */
  private final @Nullable CompletableFuture<ServiceResult<T>> pending;

  private Step(
      @Nullable ServiceResult<T> result, @Nullable CompletableFuture<ServiceResult<T>> pending) {
    this.result = result;
    this.pending = pending;
  }

  static <T> Step<T> finished(ServiceResult<T> result) {
    return new Step<>(result, null);
  }

  /**
   * Continues with the value of a stage: at once if the stage is complete, otherwise on the
   * executor.
   *
   * @param next the step that follows a value
   * @param recovery the step that follows a failure, which may be wrapped
   */
  static <A, T> Step<T> await(
      CompletionStage<A> stage,
      Executor executor,
      Function<A, Step<T>> next,
      Function<Throwable, Step<T>> recovery) {
    CompletableFuture<A> future = stage.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      return next.apply(future.join());
    }
    return new Step<>(
        null,
        future
            .handleAsync(
                (value, failure) -> failure == null ? next.apply(value) : recovery.apply(failure),
                executor)
            .thenCompose(Step::toFuture));
  }

  /** Continues with the value of this step. A refusal skips the next step. */
  <R> Step<R> then(Function<? super T, Step<R>> next) {
    if (result != null) {
      return follow(result, next);
    }
    return new Step<>(
        null,
        Objects.requireNonNull(pending)
            .thenCompose(finished -> follow(finished, next).toFuture()));
  }

  private static <T, R> Step<R> follow(
      ServiceResult<T> finished, Function<? super T, Step<R>> next) {
    if (finished instanceof Success<T> success) {
      return next.apply(success.value());
    }
    Refused<T> refused = (Refused<T>) finished;
    return finished(new Refused<>(refused.refusal(), refused.throttle()));
  }

  /** The result as a future, complete already if no step had to wait. */
  CompletableFuture<ServiceResult<T>> toFuture() {
    return result == null
        ? Objects.requireNonNull(pending)
        : CompletableFuture.completedFuture(result);
  }
}
