package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.testkit.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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

/** Nodes on one Redis count together: in one JVM, and in several. */
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
  void allNodesKnowExactlyWhatAllHaveCounted(int count) {
    try (Nodes nodes = Nodes.connected(count, server.uri())) {
      LongAdder accepted = new LongAdder();
      atOnce(nodes, node -> {
        for (int i = 0; i < 20_000; i++) {
          accepted.add(Nodes.take(node, "user", 1_000_000, 1).allowed() ? 1 : 0);
        }
      });
      assertThat(accepted.sum()).isEqualTo(20_000L * count);
      Nodes.await("all to be told", nodes::haveToldAll);
      assertThat(Nodes.total(server, "user")).isEqualTo(accepted.sum());
      for (RateLimiter node : nodes.all) { // in five seconds, when what it heard is too old
        Nodes.await("all to be known", () -> Nodes.known(node, "user") == accepted.sum());
      }
    }
  }

  /** As fast as they can, from the first request on: each may spend the limit before it hears. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void limitUnderASuddenRush(int count) {
    long limit = 10_000;
    try (Nodes nodes = Nodes.connected(count, server.uri())) {
      LongAdder accepted = new LongAdder();
      atOnce(nodes, node -> {
        for (int denied = 0; denied < 1_000; ) {
          if (Nodes.take(node, "rush", limit, 1).allowed()) {
            accepted.increment();
          } else {
            denied++;
          }
        }
      });
      System.out.printf("rush: %d nodes accepted %d of %d%n", count, accepted.sum(), limit);
      assertThat(accepted.sum()).isBetween(limit, count * limit);
      Nodes.await("all to be told", nodes::haveToldAll);
      assertThat(Nodes.total(server, "rush")).isEqualTo(accepted.sum());
    }
  }

  /** Ten times the limit within about a second: what is accepted too much is a tick's worth. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void limitUnderSteadyPressure(int count) {
    long limit = 1_000;
    try (Nodes nodes = Nodes.connected(count, server.uri())) {
      LongAdder accepted = new LongAdder();
      atOnce(nodes, node -> {
        long start = System.nanoTime();
        long requests = 10 * limit / count;
        for (long i = 0; i < requests; i++) {
          accepted.add(Nodes.take(node, "pressure", limit, 1).allowed() ? 1 : 0);
          long due = start + i * 1_000_000_000L / requests;
          for (long wait; (wait = due - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(wait);
          }
        }
      });
      System.out.printf("pressure: %d nodes accepted %d of %d%n", count, accepted.sum(), limit);
      assertThat(accepted.sum()).isBetween(limit, 3 * limit);
    }
  }

  @Test
  void nodesInSeparateProcesses() throws IOException {
    long accepted = acceptedByTwoProcesses("apart", 1_000_000, 50_000);
    assertThat(accepted).isEqualTo(100_000);
    assertThat(Nodes.total(server, "apart")).isEqualTo(accepted); // they were closed, so at once
  }

  @Test
  void limitHoldsOverProcesses() throws IOException {
    long accepted = acceptedByTwoProcesses("shared", 5_000, 50_000);
    assertThat(accepted).isBetween(5_000L, 10_000L);
    assertThat(Nodes.total(server, "shared")).isEqualTo(accepted);
  }

  private long acceptedByTwoProcesses(String identifier, long limit, int requests)
      throws IOException {
    List<Process> processes = new ArrayList<>();
    try {
      processes.add(startNode(identifier, limit, requests));
      processes.add(startNode(identifier, limit, requests));
      long accepted = 0;
      for (Process process : processes) {
        accepted += acceptedBy(process);
      }
      return accepted;
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private interface Work {
    void on(RateLimiter node);
  }

  private static void atOnce(Nodes nodes, Work work) {
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

  private Process startNode(String identifier, long limit, int requests) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            NodeProcess.class.getName(),
            server.uri(),
            identifier,
            Long.toString(limit),
            Integer.toString(requests))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static long acceptedBy(Process process) throws IOException {
    try (BufferedReader out = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      return Long.parseLong(out.readLine());
    }
  }
}
