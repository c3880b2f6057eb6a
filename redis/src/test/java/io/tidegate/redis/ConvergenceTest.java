package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that share a Redis converge to the same count, in one JVM and in several. */
class ConvergenceTest {

  private RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void allNodesConvergeToTheExactCount(int count) {
    try (Nodes nodes = Nodes.connected(count, server.uri())) {
      LongAdder admitted = new LongAdder();
      concurrently(nodes, node -> {
        for (int i = 0; i < 20_000; i++) {
          admitted.add(Nodes.take(node, "user", 1_000_000, 1).allowed() ? 1 : 0);
        }
      });
      assertThat(admitted.sum()).isEqualTo(20_000L * count);
      Nodes.await("all counts to be confirmed", nodes::areConfirmed);
      assertThat(Nodes.total(server, "user")).isEqualTo(admitted.sum());
      for (RateLimiter node : nodes.all) { // after 5 s its counts are stale
        Nodes.await("the count of the region", () -> Nodes.count(node, "user") == admitted.sum());
      }
    }
  }

  /** At full speed from the first request: each node spends its share before it asks again. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void overshootOfASuddenRushIsBounded(int count) {
    long limit = 10_000;
    try (Nodes nodes = Nodes.connected(count, server.uri())) {
      awaitEachOther(nodes);
      LongAdder admitted = new LongAdder();
      concurrently(nodes, node -> {
        for (int denied = 0; denied < 1_000; ) {
          if (Nodes.take(node, "rush", limit, 1).allowed()) {
            admitted.increment();
          } else {
            denied++;
          }
        }
      });
      System.out.printf("rush: %d nodes admitted %d of %d%n", count, admitted.sum(), limit);
      assertThat(admitted.sum()).isBetween(limit, limit * 3 / 2); // all shares may be old
      Nodes.await("all counts to be confirmed", nodes::areConfirmed);
      assertThat(Nodes.total(server, "rush")).isEqualTo(admitted.sum());
    }
  }

  /** Ten times the limit within about a second: the overshoot is about one request per node. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void overshootUnderSteadyLoadIsBounded(int count) {
    long limit = 1_000;
    try (Nodes nodes = Nodes.connected(count, server.uri())) {
      awaitEachOther(nodes);
      LongAdder admitted = new LongAdder();
      LongAdder waited = new LongAdder();
      concurrently(nodes, node -> {
        long start = System.nanoTime();
        long requests = 10 * limit / count;
        for (long i = 0; i < requests; i++) {
          Decision decision = Nodes.take(node, "pressure", limit, 1);
          admitted.add(decision.allowed() ? 1 : 0);
          waited.add(decision.source() == Decision.Source.ORIGIN ? 1 : 0);
          long due = start + i * 1_000_000_000L / requests;
          for (long wait; (wait = due - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(wait);
          }
        }
      });
      System.out.printf(
          "steady load: %d nodes admitted %d of %d, %d of %d requests waited%n",
          count, admitted.sum(), limit, waited.sum(), 10 * limit);
      assertThat(admitted.sum()).isBetween(limit, limit * 3 / 2);
    }
  }

  private static void awaitEachOther(Nodes nodes) {
    int count = nodes.all.size();
    Nodes.await(
        "all nodes to know each other",
        () -> nodes.all.stream().allMatch(node -> node.stats().liveNodes() == count));
  }

  @Test
  void nodesInSeparateProcessesShareTheCount() throws IOException {
    long admitted = admittedByProcesses(2, "apart", 1_000_000, 50_000);
    assertThat(admitted).isEqualTo(100_000);
    assertThat(Nodes.total(server, "apart"))
        .isEqualTo(admitted); // closing a node flushes its counts
  }

  @Test
  void limitHoldsOverProcesses() throws IOException {
    long admitted = admittedByProcesses(5, "shared", 5_000, 20_000);
    System.out.printf("processes: 5 nodes admitted %d of 5000%n", admitted);
    assertThat(admitted).isBetween(5_000L, 7_500L);
    assertThat(Nodes.total(server, "shared")).isEqualTo(admitted);
  }

  private long admittedByProcesses(int count, String identifier, long limit, int requests)
      throws IOException {
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        processes.add(startNode(identifier, limit, requests, count));
      }
      for (Process process : processes) {
        assertThat(process.inputReader().readLine()).isEqualTo("ready");
      }
      for (Process process : processes) {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      }
      long admitted = 0;
      for (Process process : processes) {
        admitted += Long.parseLong(process.inputReader().readLine());
      }
      return admitted;
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private interface Work {
    void on(RateLimiter node);
  }

  private static void concurrently(Nodes nodes, Work work) {
    CountDownLatch ready = new CountDownLatch(nodes.all.size());
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = nodes.all.stream()
        .map(node -> new Thread(() -> {
          try {
            ready.countDown();
            ready.await();
            work.on(node);
          } catch (Exception | Error e) {
            failures.add(e);
          }
        }))
        .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    assertThat(failures).isEmpty();
  }

  private Process startNode(String identifier, long limit, int requests, int processes)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            NodeProcess.class.getName(),
            server.uri(),
            identifier,
            Long.toString(limit),
            Integer.toString(requests),
            Integer.toString(processes))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
