package io.tidegate.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers of an in-memory store: immediate, delayed until {@link #release}, or failed. Thread-safe.
 * Answers complete without a lock, because callbacks may block.
 */
final class Answers {

  /** Answers that wait for {@link #release}. Guarded by this. */
  private final List<Runnable> held = new ArrayList<>();

  private @Nullable RuntimeException failure;
  private boolean holding;

  /** Makes all answers fail from now on, or succeed again if null. */
  synchronized void fail(@Nullable RuntimeException with) {
    failure = with;
  }

  /** Delays all answers from now on. */
  synchronized void hold() {
    holding = true;
  }

  /** Completes delayed answers, and stops delaying. */
  void release() {
    List<Runnable> answers;
    synchronized (this) {
      holding = false;
      answers = List.copyOf(held);
      held.clear();
    }
    answers.forEach(Runnable::run);
  }

  /**
   * Returns an answer.
   *
   * @param value performs the call and returns its result; not called if the answer is a failure
   * @param beforeFailure runs before a failure is returned
   */
  <T> CompletionStage<T> answer(Supplier<T> value, Runnable beforeFailure) {
    CompletableFuture<T> stage = new CompletableFuture<>();
    Runnable answer = () -> {
      RuntimeException failing = failure();
      if (failing == null) {
        stage.complete(value.get());
      } else {
        beforeFailure.run();
        stage.completeExceptionally(failing);
      }
    };
    if (!isHeld(answer)) {
      answer.run();
    }
    return stage;
  }

  private synchronized boolean isHeld(Runnable answer) {
    return holding && held.add(answer);
  }

  private synchronized @Nullable RuntimeException failure() {
    return failure;
  }
}
