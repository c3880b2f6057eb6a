package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.DatabaseLoad;
import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.report.Percentiles;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Measures the calls of a fleet without the fleet: one connection per node pushes and pulls every
 * second, and nothing is decided or merged. A machine that is too small for a larger fleet can
 * still show the load of that fleet on MariaDB.
 */
record DatabaseProbe(MariaDbServer server, Settings settings) {

  /** Rows per second that a fleet of the reference fleet writes with the default policy. */
  static final int ROWS_PER_SECOND = 750;

  /** Live rows of such a fleet. */
  private static final int LIVE_ROWS = 24_000;

  List<DatabaseLoad> measure() {
    return settings.databaseTimes().stream().map(this::measure).toList();
  }

  private DatabaseLoad measure(int times) {
    MariaDbMeter meter = new MariaDbMeter(server);
    meter.empty();
    List<Caller> callers = IntStream.range(0, Fleet.NODES)
        .mapToObj(i -> new Caller(server.jdbcUrl(), i, times))
        .toList();
    try {
      callers.forEach(Caller::start);
      Pause.millis(settings.ceilingMillis());
      callers.forEach(Caller::clearTimes);
      MariaDbMeter.Reading before = meter.read();
      long rowsReadBefore = rowsRead(callers);
      double processBefore = Cpu.processSeconds();
      long startNanos = System.nanoTime();
      Pause.millis(2L * settings.ceilingMillis());
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      double processSeconds = Cpu.processSeconds() - processBefore;
      MariaDbMeter.Reading use = meter.read().since(before);
      return new DatabaseLoad(
          times,
          use.rowsWritten() / seconds,
          (rowsRead(callers) - rowsReadBefore) / seconds,
          100 * use.cpuSeconds() / seconds,
          100 * processSeconds / seconds,
          percentiles(callers, caller -> caller.pushMillis),
          percentiles(callers, caller -> caller.pullMillis));
    } finally {
      callers.forEach(Caller::stop);
      callers.forEach(Caller::close);
    }
  }

  private static long rowsRead(List<Caller> callers) {
    return callers.stream().mapToLong(caller -> caller.client.rowsRead()).sum();
  }

  private static Percentiles percentiles(
      List<Caller> callers, Function<Caller, Collection<Double>> times) {
    return Percentiles.of(
        callers.stream().flatMap(caller -> times.apply(caller).stream()).toList());
  }

  /** Pushes and pulls like a node, with a thread for each. */
  private static final class Caller implements AutoCloseable {

    private final int number;
    private final int rowsPerSecond;
    private final DatabaseClient client;
    private final Component[] rows;
    private final Queue<Double> pushMillis = new ConcurrentLinkedQueue<>();
    private final Queue<Double> pullMillis = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads;
    private volatile boolean stopped;

    /** Used by the thread that pushes only. */
    private int position;

    /** Used by the thread that pulls only. */
    private long mark = GlobalCounters.EVERYTHING;

    Caller(String jdbcUrl, int number, int times) {
      this.number = number;
      this.client = new DatabaseClient(jdbcUrl, number);
      this.rowsPerSecond = Math.max(1, times * ROWS_PER_SECOND / Fleet.NODES);
      this.rows = IntStream.range(0, times * LIVE_ROWS / Fleet.NODES)
          .mapToObj(i -> client.component(i, 1))
          .toArray(Component[]::new);
      this.threads = List.of(
          Threads.daemon("push-" + number, () -> everySecond(this::push, pushMillis)),
          Threads.daemon("pull-" + number, () -> everySecond(this::pull, pullMillis)));
    }

    void start() {
      threads.forEach(Thread::start);
    }

    void clearTimes() {
      pushMillis.clear();
      pullMillis.clear();
    }

    /** Starts at a random time, so that callers do not form convoys. Missed calls are skipped. */
    private void everySecond(Runnable call, Queue<Double> millis) {
      SplittableRandom random = new SplittableRandom(number + call.hashCode());
      long dueNanos = System.nanoTime() + random.nextLong(1_000_000_000);
      while (!stopped) {
        while (!stopped && dueNanos - System.nanoTime() > 0) {
          LockSupport.parkNanos(dueNanos - System.nanoTime());
        }
        long startNanos = System.nanoTime();
        try {
          call.run();
          millis.add((System.nanoTime() - startNanos) / 1e6);
        } catch (CompletionException e) {
          millis.add((System.nanoTime() - startNanos) / 1e6); // the time until it gave up
        }
        dueNanos = Math.max(dueNanos + 1_000_000_000, System.nanoTime());
      }
    }

    private void push() {
      for (int left = rowsPerSecond; left > 0 && !stopped; left -= DatabaseClient.ROWS) {
        List<Component> chunk = new ArrayList<>();
        for (int i = 0; i < Math.min(DatabaseClient.ROWS, left); i++) {
          position = (position + 1) % rows.length;
          Component row = rows[position];
          rows[position] = new Component(row.region(), row.cell(), row.count() + 1);
          chunk.add(row);
        }
        client.push(chunk);
      }
    }

    private void pull() {
      mark = client.pull(mark);
    }

    void stop() {
      stopped = true;
      threads.forEach(LockSupport::unpark);
    }

    @Override
    public void close() {
      Threads.join(threads);
      client.close();
    }
  }
}
