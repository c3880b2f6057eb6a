package io.tidegate.jdbc;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the calls of one kind on a daemon thread, because JDBC blocks. The thread ends after 30 s
 * without a call.
 */
final class CallExecutor {

  /**
   * Maximum number of queued calls of most kinds. A limiter makes one call of a kind at a time, and
   * the next one when that has timed out; more calls would time out in the queue.
   */
  private static final int MAX_QUEUED = 2;

  private final ThreadPoolExecutor executor;

  CallExecutor(String threadName) {
    this(threadName, MAX_QUEUED);
  }

  /** An executor for calls of which several are made at a time. */
  CallExecutor(String threadName, int maxQueued) {
    executor = new ThreadPoolExecutor(
        1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(maxQueued), work -> {
          Thread thread = new Thread(work, threadName);
          thread.setDaemon(true);
          return thread;
        });
    executor.allowCoreThreadTimeOut(true);
  }

  <T> CompletableFuture<T> run(Callable<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      executor.execute(() -> {
        try {
          answer.complete(call.call());
        } catch (Exception | Error e) { // the caller must see every failure
          answer.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new IllegalStateException(
          executor.isShutdown() ? "closed" : "earlier calls have not finished yet"));
    }
    return answer;
  }

  /** Interrupts the call that is running; calls in the queue are never answered. */
  void close() {
    executor.shutdownNow();
  }
}
