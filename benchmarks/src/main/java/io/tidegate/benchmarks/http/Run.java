package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.benchmarks.http.Results.Memory;
import io.tidegate.benchmarks.http.ServerProcess.Kind;
import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs all measurements, with one server of each kind and one load. */
final class Run {

  /** Requests of a batch that fills a server: the most that a batch may have. */
  static final int FILL_BATCH = 100;

  private static final int FILL_CONNECTIONS = 8;

  /** Enough for the slowest machine; the load ends when all series exist. */
  private static final int FILL_MILLIS = 300_000;

  private final Settings settings;
  private final Progress progress;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<Load> loads = new ArrayList<>();
  private final List<Memory> memories = new ArrayList<>();

  Run(Settings settings) {
    this.settings = settings;
    int scenarios = settings.closedLoops().size() + Settings.PERCENTS.size();
    int total = (2 + settings.rounds() * scenarios) * Kind.values().length;
    this.progress = new Progress(System.err, total, System::nanoTime);
  }

  Results run() throws IOException {
    if (settings.pinned()) {
      Processors.bindLoad();
    }
    try {
      for (Kind kind : Kind.values()) {
        measureMemory(kind);
      }
      return measureLoads();
    } finally {
      progress.end();
      for (ServerProcess server : servers) {
        server.close();
      }
    }
  }

  private ServerProcess startServer(Kind kind) throws IOException {
    String[] prefix = settings.pinned() ? Processors.serverPrefix() : new String[0];
    return new ServerProcess(kind, settings.eventLoops(), prefix);
  }

  /** Measures a new server, which is not used again. */
  private void measureMemory(Kind kind) throws IOException {
    progress.next("memory, " + kind.label);
    int series = settings.series();
    try (ServerProcess server = startServer(kind)) {
      send(server, Scenario.closed(1, 1), 0, settings.warmupMillis());
      ServerProcess.Usage before = server.usage();
      int batches = series / FILL_BATCH;
      Outcome fill =
          send(server, FILL_CONNECTIONS, series, FILL_BATCH, Order.atMost(batches, FILL_MILLIS));
      double resident = server.residentBytes();
      memories.add(new Memory(kind, before, server.usage(), resident, fill.seconds()));
    }
  }

  private Results measureLoads() throws IOException {
    Results results = new Results(settings, new Rounds<>(loads), memories);
    Scenario heaviest = Scenario.closed(settings.mostConnections(), Settings.MOST_KEYS);
    for (Kind kind : Kind.values()) {
      progress.next("warm-up, " + kind.label);
      ServerProcess server = startServer(kind);
      servers.add(server);
      send(server, heaviest, 0, settings.startMillis());
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Scenario scenario : settings.closedLoops()) {
        measure(scenario, 0, round);
      }
    }
    // Both servers at the same rates, which are shares of Tidegate's throughput.
    double highestPerSecond = results.tidegate(heaviest).of(Load::perSecond).median();
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int percent : Settings.PERCENTS) {
        Scenario scenario = new Scenario(settings.mostConnections(), Settings.MOST_KEYS, percent);
        measure(scenario, Math.max(1, (int) (highestPerSecond * percent / 100)), round);
      }
    }
    return results;
  }

  private void measure(Scenario scenario, int perSecond, int round) throws IOException {
    for (ServerProcess server : Rounds.inTurn(servers, round)) {
      String rate = perSecond == 0 ? "" : ", " + Format.MANY.of(perSecond) + "/s";
      progress.next(scenario.label() + rate + ", " + server.kind.label);
      send(server, scenario, perSecond, settings.warmupMillis());
      double before = server.cpuSeconds();
      Outcome outcome = send(server, scenario, perSecond, settings.loadMillis());
      double serverSeconds = server.cpuSeconds() - before;
      loads.add(new Load(server.kind, scenario, round, outcome, serverSeconds));
    }
  }

  private static Outcome send(ServerProcess server, Scenario scenario, int perSecond, int millis)
      throws IOException {
    Order order = Order.atRate(perSecond, millis);
    return send(server, scenario.connections(), scenario.keys(), 1, order);
  }

  private static Outcome send(
      ServerProcess server, int connections, int keys, int batch, Order order) throws IOException {
    Requests requests = new Requests(server.address, keys, batch);
    return LoadGenerator.run(order, connections, requests::open);
  }
}
