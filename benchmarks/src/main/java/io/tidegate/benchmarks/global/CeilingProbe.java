package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalFigures.Ceiling;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Writes and reads as fast as the database lets, through the same code that nodes do. */
record GlobalCeiling(MariaDbServer server, GlobalSettings settings) {

  /** As many as a node pushes at most in one statement. */
  static final int ROWS = 500;

  /** What the database is asked for. */
  enum Kind {
    INSERT("rows that are new"),
    UPDATE("rows that are known, raised"),
    PULL("changed rows read");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  List<Ceiling> measure() {
    List<Ceiling> ceilings = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int connections : settings.connections()) {
        new MariaDbMeter(server).empty();
        ceilings.add(measure(kind, connections));
      }
    }
    return ceilings;
  }

  private Ceiling measure(Kind kind, int connections) {
    List<Caller> callers =
        IntStream.range(0, connections).mapToObj(i -> new Caller(kind, i)).toList();
    try {
      callers.forEach(Caller::prepare);
      double serverBefore = serverSeconds();
      double processBefore = Cpu.processSeconds();
      long beganNanos = System.nanoTime();
      long endNanos = beganNanos + settings.ceilingMillis() * 1_000_000L;
      callers.forEach(caller -> caller.begin(endNanos));
      callers.forEach(Caller::join);
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      return new Ceiling(
          kind,
          connections,
          callers.stream().mapToLong(caller -> caller.rows.sum()).sum() / seconds,
          callers.stream().mapToLong(caller -> caller.calls).sum() / seconds,
          100 * (serverSeconds() - serverBefore) / seconds,
          100 * (Cpu.processSeconds() - processBefore) / seconds);
    } finally {
      callers.forEach(Caller::close);
    }
  }

  private double serverSeconds() {
    return server.cpuTime().toNanos() / 1e9;
  }

  /** One who calls again as soon as there is an answer. */
  private final class Caller implements AutoCloseable {

    private static final Scope SCOPE = Scope.of("acme", "requests", Duration.ofDays(1));

    private final Kind kind;
    private final int number;
    private final GlobalCounters counters = JdbcGlobalCounters.builder(server.jdbcUrl())
        .withoutCleanup()
        .migrate(false)
        .connect();
    private final LongAdder rows = new LongAdder();
    private Thread thread = new Thread(() -> {});
    private long calls;

    Caller(Kind kind, int number) {
      this.kind = kind;
      this.number = number;
    }

    /**
     * Makes the rows that are updated, or read; all read the same. Everything is asked for, and the
     * table has nothing else: what has not changed for a while, a pull does not read again.
     */
    void prepare() {
      if (kind != Kind.PULL || number == 0) {
        await(counters.push(components(0, 1)));
      }
    }

    void begin(long endNanos) {
      thread = Threads.daemon("caller-" + number, () -> {
        for (; System.nanoTime() - endNanos < 0; calls++) {
          call();
        }
      });
      thread.start();
    }

    private void call() {
      switch (kind) {
        case INSERT -> push((calls + 1) * ROWS, 1);
        case UPDATE -> push(0, calls + 2);
        case PULL ->
          await(counters.pull(GlobalCounters.EVERYTHING, now(), component -> rows.increment()));
      }
    }

    private void push(long first, long count) {
      await(counters.push(components(first, count)));
      rows.add(ROWS);
    }

    private List<Component> components(long first, long count) {
      List<Component> components = new ArrayList<>(ROWS);
      for (long i = first; i < first + ROWS; i++) {
        Series series = new Series(SCOPE, Identifiers.identifier((int) i) + "-" + number);
        components.add(new Component("region-" + number, WindowCell.at(series, now()), count));
      }
      return components;
    }

    void join() {
      Threads.join(List.of(thread));
    }

    @Override
    public void close() {
      counters.close();
    }
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
