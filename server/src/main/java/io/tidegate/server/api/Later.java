package io.tidegate.server.api;

import io.tidegate.server.http.Call;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Goes on with a call when something is known: at once if it is, without leaving the thread. */
final class Later {

  private Later() {}

  static <T> void when(
      CompletionStage<T> stage, Call call, Consumer<T> then, Consumer<Throwable> otherwise) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      then.accept(future.join());
      return;
    }
    future.whenComplete((value, failure) -> call.resume(() -> {
      if (failure == null) {
        then.accept(value);
      } else {
        otherwise.accept(
            failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure);
      }
    }));
  }
}
