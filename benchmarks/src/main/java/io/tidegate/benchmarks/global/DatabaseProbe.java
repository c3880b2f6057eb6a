package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.DatabaseClients.Client;
import io.tidegate.benchmarks.global.Results.Ceiling;
import io.tidegate.benchmarks.global.Results.DatabaseLoad;
import io.tidegate.benchmarks.global.Results.Rows;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

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
    int liveRows = kind == Kind.INSERT ? Integer.MAX_VALUE : DatabaseClients.BATCH;
    Consumer<Client> push = client -> client.push(DatabaseClients.BATCH);
    try (DatabaseClients clients = new DatabaseClients(database, connections, liveRows)) {
      // Rows to raise; for pulls, those of one client, which all of them read.
      clients.clients.stream().limit(kind == Kind.PULL ? 1 : connections).forEach(push);
      List<Double> calls = new ArrayList<>();
      Rows rows = clients.during(() -> {
        Queue<Double> millis = clients.repeat(0, kind == Kind.PULL ? Client::pullEverything : push);
        Threads.sleep(settings.callMillis());
        clients.stop();
        calls.addAll(millis);
      });
      return new Ceiling(kind, connections, rows, calls.size() / rows.usage().seconds());
    }
  }

  /** Measures the calls of fleets: each client pushes and pulls every second, like a node. */
  List<DatabaseLoad> loads() {
    return settings.databaseTimes().stream().map(this::load).toList();
  }

  private DatabaseLoad load(int times) {
    int rowsPerSecond = Math.max(1, times * ROWS_PER_SECOND / Fleet.NODES);
    int liveRows = times * LIVE_ROWS / Fleet.NODES;
    try (DatabaseClients clients = new DatabaseClients(database, Fleet.NODES, liveRows)) {
      Queue<Double> pushes = clients.repeat(SECOND_NANOS, client -> client.push(rowsPerSecond));
      Queue<Double> pulls = clients.repeat(SECOND_NANOS, Client::pull);
      Threads.sleep(settings.callMillis()); // warm-up
      pushes.clear();
      pulls.clear();
      Rows rows = clients.during(() -> Threads.sleep(2L * settings.callMillis()));
      Percentiles pushMillis = Percentiles.of(List.copyOf(pushes));
      return new DatabaseLoad(times, rows, pushMillis, Percentiles.of(List.copyOf(pulls)));
    }
  }
}
