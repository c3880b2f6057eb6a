package io.tidegate.catalog;

import io.tidegate.testkit.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs calls at the same time, each on its own thread. */
final class Together {

  private Together() {}

  /** Returns the results when all calls have returned. */
  static <T> List<T> call(List<Callable<T>> calls) throws Exception {
    CyclicBarrier start = new CyclicBarrier(calls.size());
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> call : calls) {
        futures.add(threads.submit(() -> {
          start.await();
          return call.call();
        }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(Waiting.LONG.toSeconds(), TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
