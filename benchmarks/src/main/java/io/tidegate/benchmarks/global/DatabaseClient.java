package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * A client of the database with the code of a node, but without a limiter. At most one thread
 * pushes and one pulls.
 */
final class DatabaseClient implements AutoCloseable {

  /** The most rows that a node pushes at once. */
  static final int BATCH = 500;

  private static final Scope SCOPE = Scope.of("acme", "requests", Duration.ofDays(1));

  private final int number;
  private final int liveRows;
  private final GlobalCounters counters;
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder rowsRead = new LongAdder();
  private volatile boolean stopped;

  /** Rows pushed so far; used by the thread that pushes only. */
  private long position;

  /** Used by the thread that pulls only. */
  private long mark = GlobalCounters.EVERYTHING;

  /** Connects a client that pushes these many rows in turn, which no other client has. */
  DatabaseClient(String jdbcUrl, int number, int liveRows) {
    this.number = number;
    this.liveRows = liveRows;
    this.counters =
        JdbcGlobalCounters.builder(jdbcUrl).withoutCleanup().migrate(false).connect();
  }

  /** Pushes the next rows, in batches. The count of a row rises each time it is pushed. */
  void push(int rows) {
    for (int left = rows; left > 0 && !stopped; left -= BATCH) {
      List<Component> components = new ArrayList<>();
      for (int i = 0; i < Math.min(BATCH, left); i++, position++) {
        components.add(component((int) (position % liveRows), 1 + position / liveRows));
      }
      counters.push(components).toCompletableFuture().join();
    }
  }

  private Component component(int index, long count) {
    Series series = new Series(SCOPE, Identifiers.identifier(index) + "-" + number);
    return new Component(
        "region-" + number, WindowCell.at(series, System.currentTimeMillis()), count);
  }

  /** Reads the rows that changed since the last call. */
  void pull() {
    mark = pull(mark);
  }

  void pullEverything() {
    pull(GlobalCounters.EVERYTHING);
  }

  private long pull(long since) {
    return counters
        .pull(since, System.currentTimeMillis(), component -> rowsRead.increment())
        .toCompletableFuture()
        .join();
  }

  long rowsRead() {
    return rowsRead.sum();
  }

  /**
   * Starts a thread that repeats a call, and returns the latencies in ms; a failed call has the
   * time until it failed. Calls start at a random time, so that clients do not form convoys, and
   * missed calls are skipped.
   */
  Queue<Double> repeat(long intervalNanos, Runnable call) {
    Queue<Double> millis = new ConcurrentLinkedQueue<>();
    double phase = new SplittableRandom().nextDouble();
    Thread thread = Threads.daemon("client-" + number, () -> {
      long dueNanos = System.nanoTime() + (long) (phase * intervalNanos);
      while (!stopped) {
        Pause.untilNanos(dueNanos);
        long startNanos = System.nanoTime();
        try {
          call.run();
        } catch (CompletionException e) {
          // Counts as a call, with the time until it failed.
        }
        millis.add((System.nanoTime() - startNanos) / 1e6);
        dueNanos = Math.max(dueNanos + intervalNanos, System.nanoTime());
      }
    });
    threads.add(thread);
    thread.start();
    return millis;
  }

  /** Ends repeated calls after the current interval, without waiting. */
  void stop() {
    stopped = true;
  }

  void join() {
    Threads.join(threads);
  }

  @Override
  public void close() {
    join();
    counters.close();
  }
}
