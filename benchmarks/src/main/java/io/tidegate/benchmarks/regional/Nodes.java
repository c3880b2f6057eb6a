package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Pause;
import io.tidegate.benchmarks.load.Quota;
import io.tidegate.benchmarks.regional.Contender.Node;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.function.Supplier;

/** The nodes of one region, which share a Redis and this JVM. */
final class Nodes implements AutoCloseable {

  static final int COUNT = 2;

  private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(30);

  private final List<Node> nodes = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);

  /** Flushes the Redis and creates empty nodes. */
  Nodes(Contender contender, RedisServer redis, Quota quota) {
    redis.call("FLUSHALL");
    for (int i = 0; i < COUNT; i++) {
      nodes.add(contender.join(redis.uri(), quota));
    }
  }

  Node get(int number) {
    return nodes.get(number);
  }

  /** Work of one node in its thread; returns the admitted tokens. */
  interface Work {
    long run(Node node, int number);
  }

  /** Starts the work of every node; the result waits for all and adds up their tokens. */
  Supplier<Long> begin(Work work) {
    Phaser start = new Phaser(COUNT);
    List<CompletableFuture<Long>> results = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      int number = i;
      results.add(CompletableFuture.supplyAsync(
          () -> {
            start.arriveAndAwaitAdvance();
            return work.run(nodes.get(number), number);
          },
          threads));
    }
    return () -> results.stream().mapToLong(CompletableFuture::join).sum();
  }

  /** Runs the work of every node to its end and adds up the admitted tokens. */
  long together(Work work) {
    return begin(work).get();
  }

  /** Waits until no node has pending counts. */
  void settle() {
    long deadlineNanos = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
    while (nodes.stream().anyMatch(Node::hasPending)) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new IllegalStateException(
            "counts are still pending after " + SETTLE_TIMEOUT.toSeconds() + " s");
      }
      Pause.millis(1);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    nodes.forEach(Node::close);
  }
}
