package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.Ceiling;
import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Measures connections that write or read as fast as the database permits. */
record CeilingProbe(MariaDbServer server, Settings settings) {

  /** The calls of the connections. */
  enum Kind {
    INSERT("new rows"),
    UPDATE("existing rows, raised"),
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
    List<Caller> callers = IntStream.range(0, connections)
        .mapToObj(i -> new Caller(kind, server.jdbcUrl(), i))
        .toList();
    try {
      callers.forEach(Caller::prepare);
      double serverBefore = serverSeconds();
      double processBefore = Cpu.processSeconds();
      long startNanos = System.nanoTime();
      long endNanos = startNanos + settings.ceilingMillis() * 1_000_000L;
      Threads.join(callers.stream().map(caller -> caller.start(endNanos)).toList());
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      return new Ceiling(
          kind,
          connections,
          callers.stream().mapToLong(Caller::rows).sum() / seconds,
          callers.stream().mapToLong(caller -> caller.calls).sum() / seconds,
          100 * (serverSeconds() - serverBefore) / seconds,
          100 * (Cpu.processSeconds() - processBefore) / seconds);
    } finally {
      callers.forEach(caller -> caller.client.close());
    }
  }

  private double serverSeconds() {
    return server.cpuTime().toNanos() / 1e9;
  }

  /** A connection that calls again as soon as it has an answer. */
  private static final class Caller {

    private final Kind kind;
    private final int number;
    private final DatabaseClient client;

    /** Written by the thread of the caller, read after it has ended. */
    private long calls;

    Caller(Kind kind, String jdbcUrl, int number) {
      this.kind = kind;
      this.number = number;
      this.client = new DatabaseClient(jdbcUrl, number);
    }

    /** Creates the rows to update, or to read; all callers read the same rows. */
    void prepare() {
      if (kind != Kind.PULL || number == 0) {
        push(0, 1);
      }
    }

    Thread start(long endNanos) {
      Thread thread = Threads.daemon("caller-" + number, () -> {
        for (; System.nanoTime() - endNanos < 0; calls++) {
          call();
        }
      });
      thread.start();
      return thread;
    }

    private void call() {
      switch (kind) {
        case INSERT -> push((calls + 1) * DatabaseClient.ROWS, 1);
        case UPDATE -> push(0, calls + 2);
        case PULL -> client.pull(GlobalCounters.EVERYTHING);
      }
    }

    private void push(long first, long count) {
      List<Component> components = new ArrayList<>(DatabaseClient.ROWS);
      for (int i = 0; i < DatabaseClient.ROWS; i++) {
        components.add(client.component((int) first + i, count));
      }
      client.push(components);
    }

    long rows() {
      return kind == Kind.PULL ? client.rowsRead() : calls * DatabaseClient.ROWS;
    }
  }
}
