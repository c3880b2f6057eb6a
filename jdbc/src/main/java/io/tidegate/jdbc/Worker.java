package io.tidegate.jdbc;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread for one kind of call, since JDBC waits for its answers. */
final class Worker {

  /**
   * A limiter makes one call of a kind at a time, and the next when it has given up on it. More of
   * them would wait in vain.
   */
  private static final int MOST_WAITING = 2;

  private final ThreadPoolExecutor executor;

  Worker(String name) {
    executor = new ThreadPoolExecutor(
        1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
    executor.allowCoreThreadTimeOut(true);
  }

  <T> CompletableFuture<T> run(Callable<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      executor.execute(() -> {
        try {
          answer.complete(work.call());
        } catch (Exception | Error e) { // whatever it is, whoever waits has to hear of it
          answer.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new IllegalStateException(
          executor.isShutdown() ? "closed" : "the calls before this one are not over yet"));
    }
    return answer;
  }

  void close() {
    executor.shutdownNow();
  }
}
