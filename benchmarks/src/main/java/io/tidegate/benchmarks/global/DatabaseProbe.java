package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.Results.Ceiling;
import io.tidegate.benchmarks.global.Results.DatabaseLoad;
import io.tidegate.benchmarks.load.Pause;
import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;

/**
 * Measures calls to MariaDB without nodes, so that nothing is decided or merged. A machine that is
 * too small for a larger fleet can still show the load of that fleet on MariaDB.
 */
record DatabaseProbe(Database database, Settings settings) {

  /** Rows per second that the reference fleet writes with the default policy. */
  static final int ROWS_PER_SECOND = 750;

  /** Live rows of such a fleet. */
  private static final int LIVE_ROWS = 24_000;

  private static final long SECOND_NANOS = 1_000_000_000;

  /** Calls of connections that call again as soon as they have an answer. */
  enum Kind {
    INSERT("new rows"),
    UPDATE("existing rows, raised"),
    PULL("changed rows read");

    final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  private List<DatabaseClient> clients(int count, int liveRows) {
    database.empty();
    return IntStream.range(0, count)
        .mapToObj(i -> new DatabaseClient(database.jdbcUrl(), i, liveRows))
        .toList();
  }

  private static void close(List<DatabaseClient> clients) {
    clients.forEach(DatabaseClient::stop);
    clients.forEach(DatabaseClient::close);
  }

  /** Measures connections that write or read as fast as the database permits. */
  List<Ceiling> ceilings() {
    List<Ceiling> ceilings = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int connections : settings.connections()) {
        ceilings.add(ceiling(kind, connections));
      }
    }
    return ceilings;
  }

  private Ceiling ceiling(Kind kind, int connections) {
    int liveRows = kind == Kind.INSERT ? Integer.MAX_VALUE : DatabaseClient.BATCH;
    List<DatabaseClient> clients = clients(connections, liveRows);
    try {
      // Rows to raise; for pulls, those of one client, which all of them read.
      clients.stream()
          .limit(kind == Kind.PULL ? 1 : connections)
          .forEach(client -> client.push(DatabaseClient.BATCH));
      List<Queue<Double>> calls = new ArrayList<>();
      Rows rows = during(clients, () -> {
        for (DatabaseClient client : clients) {
          Runnable push = () -> client.push(DatabaseClient.BATCH);
          calls.add(client.repeat(0, kind == Kind.PULL ? client::pullEverything : push));
        }
        Pause.millis(settings.callMillis());
        clients.forEach(DatabaseClient::stop);
        clients.forEach(DatabaseClient::join);
      });
      return new Ceiling(
          kind,
          connections,
          rows.usage,
          kind == Kind.PULL ? rows.readPerSecond : rows.writtenPerSecond,
          calls.stream().mapToInt(Queue::size).sum() / rows.usage.seconds());
    } finally {
      close(clients);
    }
  }

  /** Rows that were written and read during a measurement. */
  private record Rows(Database.Usage usage, double writtenPerSecond, double readPerSecond) {}

  private Rows during(List<DatabaseClient> clients, Runnable work) {
    long readBefore = rowsRead(clients);
    Database.Reading before = database.read();
    Database.Usage usage = database.during(work);
    return new Rows(
        usage,
        database.read().since(before).rowsWritten() / usage.seconds(),
        (rowsRead(clients) - readBefore) / usage.seconds());
  }

  private static long rowsRead(List<DatabaseClient> clients) {
    return clients.stream().mapToLong(DatabaseClient::rowsRead).sum();
  }

  /** Measures the calls of fleets: each client pushes and pulls every second, like a node. */
  List<DatabaseLoad> loads() {
    return settings.databaseTimes().stream().map(this::load).toList();
  }

  private DatabaseLoad load(int times) {
    int rowsPerSecond = Math.max(1, times * ROWS_PER_SECOND / Fleet.NODES);
    List<DatabaseClient> clients = clients(Fleet.NODES, times * LIVE_ROWS / Fleet.NODES);
    List<Queue<Double>> pushes = new ArrayList<>();
    List<Queue<Double>> pulls = new ArrayList<>();
    try {
      for (DatabaseClient client : clients) {
        pushes.add(client.repeat(SECOND_NANOS, () -> client.push(rowsPerSecond)));
        pulls.add(client.repeat(SECOND_NANOS, client::pull));
      }
      Pause.millis(settings.callMillis()); // warm-up
      pushes.forEach(Queue::clear);
      pulls.forEach(Queue::clear);
      Rows rows = during(clients, () -> Pause.millis(2L * settings.callMillis()));
      return new DatabaseLoad(
          times,
          rows.usage,
          rows.writtenPerSecond,
          rows.readPerSecond,
          Percentiles.of(pushes.stream().flatMap(Queue::stream).toList()),
          Percentiles.of(pulls.stream().flatMap(Queue::stream).toList()));
    } finally {
      close(clients);
    }
  }
}
