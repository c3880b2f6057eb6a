package io.tidegate.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How something in memory answers that stands for something outside: at once, late, or not. */
final class Answers {

  private final List<Runnable> kept = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private boolean holding;

  /** What all answers are from now on; null to let them be what they should. */
  synchronized void fail(@Nullable RuntimeException with) {
    failure = with;
  }

  /** Keeps all answers back. */
  synchronized void hold() {
    holding = true;
  }

  /** Gives the answers that were kept back, and all that follow. */
  void release() {
    List<Runnable> answers;
    synchronized (this) {
      holding = false;
      answers = List.copyOf(kept);
      kept.clear();
    }
    answers.forEach(Runnable::run);
  }

  /**
   * An answer, given at its time and under no lock: what depends on it may wait for others.
   *
   * @param value does what was asked for; not called if the answer is a failure
   * @param beforeFailure what happens all the same if it is
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
    if (!isKept(answer)) {
      answer.run();
    }
    return stage;
  }

  private synchronized boolean isKept(Runnable answer) {
    return holding && kept.add(answer);
  }

  private synchronized @Nullable RuntimeException failure() {
    return failure;
  }
}
