package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Quota;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.benchmarks.regional.Contender.Node;
import io.tidegate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/** The nodes of one region, which share a Redis and this JVM. */
final class Nodes implements AutoCloseable {

  static final int COUNT = 2;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final List<Node> nodes = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);

  /** Flushes the Redis and creates empty nodes, which know each other. */
  Nodes(Contender contender, RedisServer redis, Quota quota) {
    redis.call("FLUSHALL");
    for (int i = 0; i < COUNT; i++) {
      nodes.add(contender.join.apply(redis.uri(), quota));
    }
    await("nodes do not know each other", node -> node.knows(COUNT));
  }

  Node get(int number) {
    return nodes.get(number);
  }

  /** Runs the work of every node, in its thread, and adds up the tokens that it admits. */
  long together(ToLongFunction<Node> work) {
    return begin((node, number) -> work.applyAsLong(node)).get();
  }

  /**
   * Sends the same arrivals to each node, from a different position on, until other work has ended,
   * and adds up the admitted tokens. Each node has its own pacer, which runs before each request.
   */
  long drive(String[] arrivals, Supplier<Runnable> pace, Runnable meanwhile) {
    AtomicBoolean over = new AtomicBoolean();
    Supplier<Long> admitted = begin((node, number) -> {
      Runnable pacer = pace.get();
      long taken = 0;
      int position = number * arrivals.length / COUNT;
      while (!over.get()) {
        pacer.run();
        taken += node.allow(arrivals[position++ & arrivals.length - 1]) ? 1 : 0;
      }
      return taken;
    });
    try {
      meanwhile.run();
    } finally {
      over.set(true);
    }
    return admitted.get();
  }

  /** Starts the work of every node; the result waits for all and adds up their tokens. */
  private Supplier<Long> begin(ToLongBiFunction<Node, Integer> work) {
    Phaser start = new Phaser(COUNT);
    List<CompletableFuture<Long>> results = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      int number = i;
      results.add(CompletableFuture.supplyAsync(
          () -> {
            start.arriveAndAwaitAdvance();
            return work.applyAsLong(nodes.get(number), number);
          },
          threads));
    }
    return () -> results.stream().mapToLong(CompletableFuture::join).sum();
  }

  /** Waits until no node has pending counts. */
  void settle() {
    await("counts are still pending", node -> !node.hasPending());
  }

  private void await(String problem, Predicate<Node> condition) {
    long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
    while (!nodes.stream().allMatch(condition)) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new IllegalStateException(problem + " after " + TIMEOUT.toSeconds() + " s");
      }
      Threads.sleep(1);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    nodes.forEach(Node::close);
  }
}
