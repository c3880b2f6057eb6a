package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.http.LoadGenerator.Order;
import io.tidegate.benchmarks.http.LoadGenerator.Outcome;
import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.benchmarks.http.Results.Memory;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
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

  private record Server(ServerKind kind, ServerProcess process, ServerProcess.Address address) {}

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
    try {
      if (settings.pinned()) {
        pinThisProcess();
      }
      for (ServerKind kind : ServerKind.values()) {
        measureMemory(kind);
      }
      for (ServerKind kind : ServerKind.values()) {
        progress.next("warm-up, " + kind.label());
        Server server = startServer(kind);
        servers.add(server);
        send(server, settings.heaviest(), 0, settings.startMillis());
      }
      measureClosedLoop(servers);
      measureOpenLoop(servers);
    } finally {
      progress.end();
      servers.forEach(server -> server.process.close());
    }
    return new Results(settings, new Rounds<>(loads), memories);
  }

  /** Binds this process, which generates the load, to processor 1. */
  private static void pinThisProcess() {
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      Process taskset = new ProcessBuilder("taskset", "-acp", "1", pid)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.INHERIT)
          .start();
      if (taskset.waitFor() != 0) {
        throw new IllegalStateException("taskset failed with status " + taskset.exitValue());
      }
    } catch (IOException e) {
      throw new IllegalStateException("taskset could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Server startServer(ServerKind kind) {
    List<String> prefix = settings.pinned() ? List.of("taskset", "-c", "0") : List.of();
    ServerProcess process =
        ServerProcess.start(prefix, kind.name(), Integer.toString(settings.eventLoops()));
    return new Server(kind, process, process.awaitAddress());
  }

  /** Measures a new server, which is not used again. */
  private void measureMemory(ServerKind kind) {
    progress.next("memory, " + kind.label());
    Server server = startServer(kind);
    try {
      send(server, Scenario.closed(1, 1), 0, settings.warmupMillis());
      ServerProcess.Usage before = server.process.usage();
      Order order = new Order(
          server.address,
          FILL_CONNECTIONS,
          settings.series(),
          FILL_BATCH,
          0,
          FILL_MILLIS,
          settings.series() / FILL_BATCH);
      double seconds = generate(order).seconds();
      long resident = server.process.residentBytes();
      ServerProcess.Usage after = server.process.usage();
      memories.add(new Memory(kind, before, after, resident, seconds));
    } finally {
      server.process.close();
    }
  }

  private void measureClosedLoop(List<Server> servers) {
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int keys : settings.keys()) {
        for (int connections : settings.connections()) {
          measure(servers, Scenario.closed(connections, keys), 0, round);
        }
      }
    }
  }

  /** Measures both servers at the same rates, which are shares of Tidegate's throughput. */
  private void measureOpenLoop(List<Server> servers) {
    Scenario heaviest = settings.heaviest();
    double perSecond = new Results(settings, new Rounds<>(loads), memories)
        .of(ServerKind.TIDEGATE, heaviest)
        .of(Load::perSecond)
        .median();
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int percent : settings.percents()) {
        measure(
            servers,
            new Scenario(heaviest.connections(), heaviest.keys(), percent),
            Math.max(1, (int) (perSecond * percent / 100)),
            round);
      }
    }
  }

  /** Measures in the other order each round, so that no server always comes second. */
  private void measure(List<Server> servers, Scenario scenario, int perSecond, int round) {
    List<Server> inTurn = new ArrayList<>(servers);
    Collections.rotate(inTurn, round);
    for (Server server : inTurn) {
      String rate = perSecond == 0 ? "" : ", " + Format.MANY.of(perSecond) + "/s";
      progress.next(scenario.label() + rate + ", " + server.kind.label());
      send(server, scenario, perSecond, settings.warmupMillis());
      double before = server.process.cpuSeconds();
      Outcome outcome = send(server, scenario, perSecond, settings.loadMillis());
      double serverSeconds = server.process.cpuSeconds() - before;
      loads.add(new Load(server.kind, scenario, round, outcome, serverSeconds));
    }
  }

  private static Outcome send(Server server, Scenario scenario, int perSecond, int millis) {
    Order order = new Order(
        server.address,
        scenario.connections(),
        scenario.keys(),
        1,
        perSecond,
        millis,
        Integer.MAX_VALUE);
    return generate(order);
  }

  private static Outcome generate(Order order) {
    try {
      return LoadGenerator.run(order);
    } catch (IOException e) {
      throw new IllegalStateException("the load generator failed", e);
    }
  }
}
