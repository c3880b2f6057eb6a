package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalFigures.DatabaseLoad;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.report.Percentiles;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * What a fleet asks of the database, without the fleet: as many connections as it has nodes push
 * and pull every second, and nobody decides or merges anything. So a machine on which a fleet of
 * ten times the shape has no room can still show what that would ask of MariaDB.
 */
record GlobalDatabaseLoad(MariaDbServer server, GlobalSettings settings) {

  /** What a fleet of the RFC's shape with the default policy writes in a second, and has alive. */
  static final int ROWS_PER_SECOND = 750;

  static final int LIVE_ROWS = 24_000;

  /** Most rows in one push, as for a node. */
  private static final int CHUNK = GlobalCeiling.ROWS;

  List<DatabaseLoad> measure() {
    return settings.databaseTimes().stream().map(this::measure).toList();
  }

  private DatabaseLoad measure(int times) {
    MariaDbMeter meter = new MariaDbMeter(server);
    meter.empty();
    List<Caller> callers = IntStream.range(0, GlobalFleet.NODES)
        .mapToObj(i -> new Caller(i, times))
        .toList();
    try {
      callers.forEach(Caller::begin);
      Pause.millis(settings.ceilingMillis());
      callers.forEach(Caller::forget);
      MariaDbMeter.Reading before = meter.read();
      double processBefore = Cpu.processSeconds();
      long beganNanos = System.nanoTime();
      Pause.millis(2L * settings.ceilingMillis());
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      double processSeconds = Cpu.processSeconds() - processBefore;
      MariaDbMeter.Reading use = meter.read().since(before);
      return new DatabaseLoad(
          times,
          use.rowsWritten() / seconds,
          callers.stream().mapToLong(caller -> caller.rowsRead.sum()).sum() / seconds,
          100 * use.cpuSeconds() / seconds,
          100 * processSeconds / seconds,
          percentiles(
              callers.stream().flatMap(caller -> caller.pushMillis.stream()).toList()),
          percentiles(
              callers.stream().flatMap(caller -> caller.pullMillis.stream()).toList()));
    } finally {
      callers.forEach(Caller::end);
      callers.forEach(Caller::close);
    }
  }

  private static Percentiles percentiles(List<Double> samples) {
    return samples.isEmpty() ? Percentiles.NONE : Percentiles.of(samples);
  }

  /** Pushes and pulls like a node. */
  private final class Caller implements AutoCloseable {

    private static final Scope SCOPE = Scope.of("acme", "requests", Duration.ofDays(1));

    private final int number;
    private final int rowsPerSecond;
    private final Component[] rows;
    private final GlobalCounters counters = JdbcGlobalCounters.builder(server.jdbcUrl())
        .withoutCleanup()
        .migrate(false)
        .connect();
    private final LongAdder rowsRead = new LongAdder();
    private final Queue<Double> pushMillis = new ConcurrentLinkedQueue<>();
    private final Queue<Double> pullMillis = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;
    private int position;
    private long mark = GlobalCounters.EVERYTHING;

    Caller(int number, int times) {
      this.number = number;
      this.rowsPerSecond = Math.max(1, times * ROWS_PER_SECOND / GlobalFleet.NODES);
      this.rows = new Component[times * LIVE_ROWS / GlobalFleet.NODES];
      long now = System.currentTimeMillis();
      for (int i = 0; i < rows.length; i++) {
        Series series = new Series(SCOPE, Identifiers.identifier(i) + "-" + number);
        rows[i] = new Component("region-" + number, WindowCell.at(series, now), 1);
      }
    }

    void begin() {
      threads.add(Threads.daemon("push-" + number, () -> everySecond(this::push, pushMillis)));
      threads.add(Threads.daemon("pull-" + number, () -> everySecond(this::pull, pullMillis)));
      threads.forEach(Thread::start);
    }

    void forget() {
      rowsRead.reset();
      pushMillis.clear();
      pullMillis.clear();
    }

    /**
     * At a time of its own, so that callers do not come in convoys. What was missed is left out.
     */
    private void everySecond(Runnable work, Queue<Double> millis) {
      SplittableRandom random = new SplittableRandom(number + work.hashCode());
      long dueNanos = System.nanoTime() + random.nextLong(1_000_000_000);
      while (!over) {
        while (!over && dueNanos - System.nanoTime() > 0) {
          LockSupport.parkNanos(dueNanos - System.nanoTime());
        }
        long beganNanos = System.nanoTime();
        try {
          work.run();
          millis.add((System.nanoTime() - beganNanos) / 1e6);
        } catch (CompletionException e) {
          millis.add((System.nanoTime() - beganNanos) / 1e6); // gave up after so long
        }
        dueNanos = Math.max(dueNanos + 1_000_000_000, System.nanoTime());
      }
    }

    private void push() {
      for (int left = rowsPerSecond; left > 0 && !over; left -= CHUNK) {
        List<Component> chunk = new ArrayList<>();
        for (int i = 0; i < Math.min(CHUNK, left); i++) {
          position = (position + 1) % rows.length;
          Component row = rows[position];
          rows[position] = new Component(row.region(), row.cell(), row.count() + 1);
          chunk.add(row);
        }
        counters.push(chunk).toCompletableFuture().join();
      }
    }

    private void pull() {
      mark = counters
          .pull(mark, System.currentTimeMillis(), component -> rowsRead.increment())
          .toCompletableFuture()
          .join();
    }

    /** Begins no further calls. */
    void end() {
      over = true;
      threads.forEach(LockSupport::unpark);
    }

    @Override
    public void close() {
      Threads.join(threads);
      counters.close();
    }
  }
}
