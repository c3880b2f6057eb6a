package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Continuous requests to a fleet during a failure, and the admitted tokens of each series. */
final class Load implements AutoCloseable {

  static final int SERIES = 8;

  /** Maximum cost of a request. */
  static final int MAX_COST = 3;

  /** Regions push after a twentieth of the limit, which the load reaches within some seconds. */
  private static final long LIMIT = 5_000;

  /** A destination of requests: a node or a balancer. */
  interface Target {
    Client.Answer take(String identifier, long limit, long cost) throws IOException;
  }

  private final String name;
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile boolean stopped;

  /** Creates a load without workers, whose identifiers begin with a name. */
  Load(String name) {
    this.name = name;
  }

  /** Starts a load of one worker per node, some hundred requests per second in all. */
  static Load on(String name, Client client, Stream<NodeProcess> nodes) {
    Load load = new Load(name);
    nodes.forEach(node -> load.add(client, node));
    return load;
  }

  Worker add(Client client, NodeProcess node) {
    return add((identifier, limit, cost) -> client.take(node, identifier, limit, cost));
  }

  Worker add(Target target) {
    Worker worker = new Worker(target, workers.size());
    workers.add(worker);
    worker.start();
    return worker;
  }

  List<Worker> workers() {
    return workers;
  }

  String identifier(int series) {
    return name + "-" + series;
  }

  /** Tokens of a series that all workers were granted. */
  long admitted(int series) {
    return workers.stream().mapToLong(worker -> worker.admitted.get(series)).sum();
  }

  /** Returns after a time, during which the load continues. */
  void runFor(Duration time) {
    NodeProcess.pause(time);
    assertThat(failures).isEmpty();
  }

  /** Stops the load, and checks that every request was answered in time. */
  void stop() {
    close();
    assertThat(failures).isEmpty();
    assertThat(answers.get()).isPositive();
    assertThat(Duration.ofNanos(longestNanos.get()))
        .as("longest wait of %d requests", answers.get())
        .isLessThan(Client.LONGEST_WAIT);
  }

  /** Waits until all nodes have exactly the admitted count of every series. */
  void awaitCounts(Fleet fleet) {
    awaitCounts(fleet, new long[SERIES], 0);
  }

  /**
   * Waits until all nodes have the admitted count of every series.
   *
   * @param lost tokens of each series that may be lost
   * @param unanswered tokens that may be counted although their request was not answered
   */
  void awaitCounts(Fleet fleet, long[] lost, long unanswered) {
    long[] admitted = IntStream.range(0, SERIES)
        .mapToLong(i -> admitted(i) + fleet.pushAll(identifier(i)))
        .toArray();
    for (int i = 0; i < SERIES; i++) {
      fleet.awaitCount(identifier(i), admitted[i] - lost[i], admitted[i] + unanswered);
    }
  }

  @Override
  public void close() {
    stopped = true;
    for (Worker worker : workers) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A client that sends one request at a time. */
  final class Worker extends Thread {

    private final Target target;
    private final Random random;
    private final AtomicLongArray admitted = new AtomicLongArray(SERIES);
    private volatile boolean mayFail;

    private Worker(Target target, int number) {
      super("load-" + number);
      this.target = target;
      this.random = new Random(number);
    }

    /** Accepts from now on that the target does not answer; the worker then ends. */
    void expectFailure() {
      mayFail = true;
    }

    long admitted(int series) {
      return admitted.get(series);
    }

    @Override
    public void run() {
      try {
        while (!stopped) {
          request(random.nextInt(SERIES), 1 + random.nextInt(MAX_COST));
          Thread.sleep(10); // some hundred requests per second are enough
        }
      } catch (IOException e) {
        if (!mayFail) {
          failures.add("no answer: " + e);
        }
      } catch (InterruptedException | RuntimeException | Error e) {
        failures.add(e.toString());
      }
    }

    private void request(int series, long cost) throws IOException {
      long before = System.nanoTime();
      Client.Answer answer = target.take(identifier(series), LIMIT, cost);
      longestNanos.accumulateAndGet(System.nanoTime() - before, Math::max);
      answers.incrementAndGet();
      if (answer.status() != 200) {
        failures.add(answer.toString());
      }
      admitted.addAndGet(series, answer.success() ? cost : 0);
    }
  }
}
