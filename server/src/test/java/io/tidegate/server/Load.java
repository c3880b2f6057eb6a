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

/** Requests for as long as something goes wrong, and what became of them. */
final class Load implements AutoCloseable {

  static final int SERIES = 8;

  /** Of one request. */
  static final int MOST_COST = 3;

  /** Regions tell each other of a twentieth of it, which comes after some seconds. */
  private static final long LIMIT = 5_000;

  /** Where requests go. */
  interface Target {
    Client.Answer take(String identifier, long limit, long cost) throws IOException;
  }

  private final String name;
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile boolean stopped;

  /** A load on nothing yet, whose identifiers begin with a name. */
  Load(String name) {
    this.name = name;
  }

  /** One that asks each of these nodes, some hundred times a second in all. */
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

  /** What was said to be accepted, by all. */
  long accepted(int series) {
    return workers.stream().mapToLong(worker -> worker.accepted.get(series)).sum();
  }

  /** Lets it go on for so long. */
  void goOnFor(Duration time) {
    NodeProcess.pause(time);
    assertThat(failures).isEmpty();
  }

  /** Ends it: every request was answered in time, whatever went wrong meanwhile. */
  void stop() {
    close();
    assertThat(failures).isEmpty();
    assertThat(answers.get()).isPositive();
    assertThat(Duration.ofNanos(longestNanos.get()))
        .as("the longest wait of %d", answers.get())
        .isLessThan(Client.LONGEST_WAIT);
  }

  /** Waits until all nodes know of everything that was accepted, and of nothing else. */
  void awaitCounts(Fleet fleet) {
    awaitCounts(fleet, new long[SERIES], 0);
  }

  /**
   * Waits until all nodes know of everything that was accepted.
   *
   * @param lost at most, of each series
   * @param unanswered at most, counted all the same
   */
  void awaitCounts(Fleet fleet, long[] lost, long unanswered) {
    long[] accepted = IntStream.range(0, SERIES)
        .mapToLong(i -> accepted(i) + fleet.tellAll(identifier(i)))
        .toArray();
    for (int i = 0; i < SERIES; i++) {
      fleet.awaitCount(identifier(i), accepted[i] - lost[i], accepted[i] + unanswered);
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

  /** One client, which has one request under way at a time. */
  final class Worker extends Thread {

    private final Target target;
    private final Random random;
    private final AtomicLongArray accepted = new AtomicLongArray(SERIES);
    private volatile boolean doomed;

    private Worker(Target target, int number) {
      super("load-" + number);
      this.target = target;
      this.random = new Random(number);
    }

    /** From now on its target may fail to answer, which ends it. */
    void expectEnd() {
      doomed = true;
    }

    long accepted(int series) {
      return accepted.get(series);
    }

    @Override
    public void run() {
      try {
        while (!stopped) {
          ask(random.nextInt(SERIES), 1 + random.nextInt(MOST_COST));
          Thread.sleep(10); // some hundred a second are plenty
        }
      } catch (IOException e) {
        if (!doomed) {
          failures.add("no answer: " + e);
        }
      } catch (InterruptedException | RuntimeException | Error e) {
        failures.add(e.toString());
      }
    }

    private void ask(int series, long cost) throws IOException {
      long before = System.nanoTime();
      Client.Answer answer = target.take(identifier(series), LIMIT, cost);
      longestNanos.accumulateAndGet(System.nanoTime() - before, Math::max);
      answers.incrementAndGet();
      if (answer.status() != 200) {
        failures.add(answer.toString());
      }
      accepted.addAndGet(series, answer.success() ? cost : 0);
    }
  }
}
