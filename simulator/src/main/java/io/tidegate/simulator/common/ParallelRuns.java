package io.tidegate.simulator.common;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Runs independent simulations on several threads. */
public final class ParallelRuns {

  private ParallelRuns() {}

  /** Number of threads for simulations that need little memory. */
  public static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  private record Started<T, R>(T task, Future<R> result) {}

  /**
   * Runs tasks and passes each result to a consumer, in the order of the tasks and on the calling
   * thread. At most twice as many tasks as threads are in progress. Ends when the consumer returns
   * false; tasks in progress are then cancelled.
   */
  public static <T, R> void run(
      int threads, Iterator<T> tasks, Function<T, R> run, BiPredicate<T, R> consumer)
      throws InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      Deque<Started<T, R>> started = new ArrayDeque<>();
      boolean more = true;
      while (more && (tasks.hasNext() || !started.isEmpty())) {
        while (tasks.hasNext() && started.size() < 2 * threads) {
          T task = tasks.next();
          started.add(new Started<>(task, executor.submit(() -> run.apply(task))));
        }
        Started<T, R> oldest = started.remove();
        more = consumer.test(oldest.task, get(oldest));
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static <R> R get(Started<?, R> started) throws InterruptedException {
    try {
      return started.result.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(started.task + " failed", e.getCause());
    }
  }
}
