package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.http.LoadGenerator.Order;
import io.tidegate.benchmarks.http.LoadGenerator.Outcome;
import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.benchmarks.http.Results.Memory;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs all measurements, with one server of each kind and one load. */
final class Run {

  /** Requests of a batch that fills a server: the most that a batch may have. */
  static final int FILL_BATCH = 100;

  private static final int FILL_CONNECTIONS = 8;

  /** Enough for the slowest machine; the load ends when all series exist. */
  private static final int FILL_MILLIS = 300_000;

  private record Server(ServerKind kind, ChildProcess process, ServerProcess.Address address) {}

  private final Settings settings;
  private final Progress progress;
  private final List<Load> loads = new ArrayList<>();
  private final List<Memory> memories = new ArrayList<>();

  Run(Settings settings, PrintStream progress) {
    this.settings = settings;
    int scenarios = settings.connections().size() * settings.keys().size();
    int measured = settings.rounds() * (scenarios + settings.percents().size());
    int total = (2 + measured) * ServerKind.values().length;
    this.progress = new Progress(progress, total, System::nanoTime);
  }

  Results run() {
    List<Server> servers = new ArrayList<>();
    try (ChildProcess load = start(LoadGenerator.class, 1)) {
      for (ServerKind kind : ServerKind.values()) {
        measureMemory(load, kind);
      }
      for (ServerKind kind : ServerKind.values()) {
        progress.next("warm-up, " + kind.label());
        Server server = startServer(kind);
        servers.add(server);
        send(load, server, settings.heaviest(), 0, settings.startMillis());
      }
      measureClosedLoop(load, servers);
      measureOpenLoop(load, servers);
    } finally {
      progress.end();
      servers.forEach(server -> server.process.close());
    }
    return new Results(settings, new Rounds<>(loads), memories);
  }

  private ChildProcess start(Class<?> main, int processor, String... arguments) {
    return settings.pinned()
        ? ChildProcess.startOn(processor, main, arguments)
        : ChildProcess.start(main, arguments);
  }

  private Server startServer(ServerKind kind) {
    ChildProcess process =
        start(ServerProcess.class, 0, kind.name(), Integer.toString(settings.eventLoops()));
    return new Server(kind, process, process.receive(ServerProcess.Address.class));
  }

  /** Measures a new server, which is not used again. */
  private void measureMemory(ChildProcess load, ServerKind kind) {
    progress.next("memory, " + kind.label());
    Server server = startServer(kind);
    try {
      send(load, server, Scenario.closed(1, 1), 0, settings.warmupMillis());
      ServerProcess.Usage before = server.process.call("usage", ServerProcess.Usage.class);
      Order order = new Order(
          server.address,
          FILL_CONNECTIONS,
          settings.series(),
          FILL_BATCH,
          0,
          FILL_MILLIS,
          settings.series() / FILL_BATCH);
      double seconds = load.call(order, Outcome.class).seconds();
      long resident = server.process.residentBytes();
      ServerProcess.Usage after = server.process.call("usage", ServerProcess.Usage.class);
      memories.add(new Memory(kind, before, after, resident, seconds));
    } finally {
      server.process.close();
    }
  }

  private void measureClosedLoop(ChildProcess load, List<Server> servers) {
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int keys : settings.keys()) {
        for (int connections : settings.connections()) {
          measure(load, servers, Scenario.closed(connections, keys), 0, round);
        }
      }
    }
  }

  /** Measures both servers at the same rates, which are shares of Tidegate's throughput. */
  private void measureOpenLoop(ChildProcess load, List<Server> servers) {
    Scenario heaviest = settings.heaviest();
    double perSecond = new Results(settings, new Rounds<>(loads), memories)
        .of(ServerKind.TIDEGATE, heaviest)
        .of(Load::perSecond)
        .median();
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int percent : settings.percents()) {
        measure(
            load,
            servers,
            new Scenario(heaviest.connections(), heaviest.keys(), percent),
            Math.max(1, (int) (perSecond * percent / 100)),
            round);
      }
    }
  }

  /** Measures in the other order each round, so that no server always comes second. */
  private void measure(
      ChildProcess load, List<Server> servers, Scenario scenario, int perSecond, int round) {
    List<Server> inTurn = new ArrayList<>(servers);
    Collections.rotate(inTurn, round);
    for (Server server : inTurn) {
      String rate = perSecond == 0 ? "" : ", " + Format.MANY.of(perSecond) + "/s";
      progress.next(scenario.label() + rate + ", " + server.kind.label());
      send(load, server, scenario, perSecond, settings.warmupMillis());
      double before = server.process.cpuSeconds();
      Outcome outcome = send(load, server, scenario, perSecond, settings.loadMillis());
      double serverSeconds = server.process.cpuSeconds() - before;
      loads.add(new Load(server.kind, scenario, round, outcome, serverSeconds));
    }
  }

  private static Outcome send(
      ChildProcess load, Server server, Scenario scenario, int perSecond, int millis) {
    Order order = new Order(
        server.address,
        scenario.connections(),
        scenario.keys(),
        1,
        perSecond,
        millis,
        Integer.MAX_VALUE);
    return load.call(order, Outcome.class);
  }
}
