package io.tidegate.benchmarks;

import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** The nodes of one region: they share an emptied Redis, this JVM, and nothing else. */
final class RegionalNodes implements AutoCloseable {

  static final int COUNT = 2;

  private static final Duration SETTLING_BOUND = Duration.ofSeconds(30);

  private final List<RegionalLimiter> nodes = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);

  /** Empties the Redis, and lets nodes join that know nothing. */
  RegionalNodes(RegionalContender contender, RedisServer redis, Quota quota) {
    redis.call("FLUSHALL");
    for (int i = 0; i < COUNT; i++) {
      nodes.add(contender.join(redis.uri(), quota));
    }
  }

  RegionalLimiter get(int number) {
    return nodes.get(number);
  }

  /** What a node's thread does; returns how many tokens it was given. */
  interface Work {
    long run(RegionalLimiter node, int number);
  }

  /** Lets every node work in a thread of its own; does not wait for them. */
  Supplier<Long> begin(Work work) {
    CyclicBarrier start = new CyclicBarrier(COUNT);
    List<Future<Long>> results = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      int number = i;
      results.add(threads.submit(() -> {
        start.await();
        return work.run(nodes.get(number), number);
      }));
    }
    return () -> results.stream().mapToLong(RegionalNodes::join).sum();
  }

  /** Lets every node work in a thread of its own, and sums up what they were given. */
  long together(Work work) {
    return begin(work).get();
  }

  private static long join(Future<Long> result) {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a node failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Waits until Redis knows all that it will be told. */
  void settle() {
    long deadlineNanos = System.nanoTime() + SETTLING_BOUND.toNanos();
    while (nodes.stream().anyMatch(node -> node.untold() > 0)) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new IllegalStateException(
            "Redis was not told all within " + SETTLING_BOUND.toSeconds() + " s");
      }
      Pause.millis(1);
    }
  }

  long dropped() {
    return nodes.stream().mapToLong(RegionalLimiter::dropped).sum();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    nodes.forEach(RegionalLimiter::close);
  }
}
