package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.DatabaseClients.Client;
import io.tidegate.benchmarks.global.Results.Ceiling;
import io.tidegate.benchmarks.global.Results.DatabaseLoad;
import io.tidegate.benchmarks.global.Results.Rows;
import io.tidegate.benchmarks.load.Threads;
import io.tidegate.report.Percentiles;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
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

  /** How often a node pushes, and the reader of a region pulls. */
  private static final Duration INTERVAL = PushPolicy.adaptive().interval();

  /** How often each node reads all rows of its region. */
  private static final Duration OWN_INTERVAL = Duration.ofMinutes(1);

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
        Queue<Double> millis =
            clients.repeat(clients.clients, 0, kind == Kind.PULL ? Client::pullEverything : push);
        Threads.sleep(settings.callMillis());
        clients.stop();
        calls.addAll(millis);
      });
      return new Ceiling(kind, connections, rows, calls.size() / rows.usage().seconds());
    }
  }

  /**
   * Measures the calls of fleets. Each client pushes like a node. One client of each region pulls
   * the changed rows of other regions, and each client the rows of its region once a minute.
   */
  List<DatabaseLoad> loads() {
    return settings.databaseTimes().stream().map(this::load).toList();
  }

  private DatabaseLoad load(int times) {
    double rowsPerPush =
        (double) times * ROWS_PER_SECOND * INTERVAL.toMillis() / 1_000 / Fleet.NODES;
    int liveRows = times * LIVE_ROWS / Fleet.NODES;
    try (DatabaseClients clients = new DatabaseClients(database, Fleet.NODES, liveRows)) {
      List<Client> readers = clients.clients.subList(0, Fleet.REGIONS); // one of each region
      Queue<Double> pushes = clients.repeat(
          clients.clients, INTERVAL.toNanos(), client -> client.pushOnAverage(rowsPerPush));
      Queue<Double> pulls = clients.repeat(readers, INTERVAL.toNanos(), Client::pull);
      clients.repeatInTurn(OWN_INTERVAL.toNanos(), Client::pullOwn);
      Threads.sleep(settings.callMillis()); // warm-up
      pushes.clear();
      pulls.clear();
      Rows rows = clients.during(() -> Threads.sleep(2L * settings.callMillis()));
      Percentiles pushMillis = Percentiles.of(List.copyOf(pushes));
      return new DatabaseLoad(times, rows, pushMillis, Percentiles.of(List.copyOf(pulls)));
    }
  }
}
