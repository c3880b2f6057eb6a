package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.Rows;
import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Clients of the database with the code of nodes, but without limiters. */
final class DatabaseClients implements AutoCloseable {

  /** The most rows that a node pushes at once. */
  static final int BATCH = 500;

  private static final Scope SCOPE = Scope.of("acme", "requests", Duration.ofDays(1));

  final List<Client> clients;
  private final Database database;
  private final List<Thread> threads = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom();
  private final LongAdder rowsRead = new LongAdder();
  private volatile boolean stopped;

  /** Connects clients to an empty table. Each pushes these many rows of its own in turn. */
  DatabaseClients(Database database, int count, int liveRows) {
    this.database = database;
    database.empty();
    this.clients = IntStream.range(0, count)
        .mapToObj(number -> new Client(number, liveRows))
        .toList();
  }

  /**
   * Starts a thread for each of some clients that repeats a call, and returns the latencies in ms;
   * a failed call has the time until it failed. Calls start at a random time, so that clients do
   * not form convoys, and missed calls are skipped.
   */
  Queue<Double> repeat(List<Client> callers, long intervalNanos, Consumer<Client> call) {
    Queue<Double> millis = new ConcurrentLinkedQueue<>();
    callers.forEach(client -> start(intervalNanos, millis, () -> call.accept(client)));
    return millis;
  }

  /** Starts a thread that repeats a call with one client after the other, each once an interval. */
  void repeatInTurn(long intervalNanos, Consumer<Client> call) {
    Iterator<Client> turns =
        Stream.generate(clients::stream).flatMap(all -> all).iterator();
    start(
        intervalNanos / clients.size(),
        new ConcurrentLinkedQueue<>(),
        () -> call.accept(turns.next()));
  }

  private void start(long intervalNanos, Queue<Double> millis, Runnable call) {
    long firstNanos = System.nanoTime() + (long) (random.nextDouble() * intervalNanos);
    Thread thread = Threads.daemon("client", () -> {
      for (long dueNanos = firstNanos; !stopped; ) {
        Threads.sleepUntil(dueNanos);
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
  }

  /** Measures the rows that all clients write and read. */
  Rows during(Runnable work) {
    long readBefore = rowsRead.sum();
    Database.Reading before = database.read();
    Database.Usage usage = database.during(work);
    return new Rows(
        usage,
        database.read().since(before).rowsWritten() / usage.seconds(),
        (rowsRead.sum() - readBefore) / usage.seconds());
  }

  /** Ends repeated calls, each after its current interval. */
  void stop() {
    stopped = true;
    Threads.join(threads);
  }

  @Override
  public void close() {
    stop();
    clients.forEach(client -> client.counters.close());
  }

  /**
   * One client, as a node of its region. At most one thread pushes, one pulls other regions' rows
   * and one pulls those of the own region.
   */
  final class Client {

    private final int number;
    private final String region;
    private final int liveRows;
    private final GlobalCounters counters = Database.connect(database.server().jdbcUrl());

    /** Rows pushed so far; used by the thread that pushes only, like the next. */
    private long position;

    /** The part of a row that is left from earlier pushes. */
    private double left;

    /** Used by the thread that pulls other regions' rows only. */
    private long mark = GlobalCounters.EVERYTHING;

    private Client(int number, int liveRows) {
      this.number = number;
      this.region = "region-" + Fleet.regionOf(number);
      this.liveRows = liveRows;
    }

    /** Pushes this many rows on average: parts of a row are left to the next push. */
    void pushOnAverage(double rows) {
      left += rows;
      int whole = (int) left;
      left -= whole;
      push(whole);
    }

    /** Pushes the next rows, in batches. The count of a row rises each time it is pushed. */
    void push(int rows) {
      for (int due = rows; due > 0 && !stopped; due -= BATCH) {
        List<Component> components = new ArrayList<>();
        for (int i = 0; i < Math.min(BATCH, due); i++, position++) {
          components.add(component((int) (position % liveRows), 1 + position / liveRows));
        }
        counters.push(components).toCompletableFuture().join();
      }
    }

    private Component component(int index, long count) {
      Series series = new Series(SCOPE, Identifiers.identifier(index) + "-" + number);
      return new Component(region, WindowCell.at(series, System.currentTimeMillis()), count);
    }

    /** Reads the rows of other regions that changed since the last call. */
    void pull() {
      mark = pull(region, mark);
    }

    /** Reads the rows of all regions. */
    void pullEverything() {
      pull("none", GlobalCounters.EVERYTHING);
    }

    private long pull(String region, long since) {
      return counters
          .pull(region, since, System.currentTimeMillis(), component -> rowsRead.increment())
          .toCompletableFuture()
          .join();
    }

    /** Reads the rows of the own region. */
    void pullOwn() {
      counters
          .pullOwn(region, System.currentTimeMillis(), component -> rowsRead.increment())
          .toCompletableFuture()
          .join();
    }
  }
}
