package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.http.Contender.Sent;
import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.benchmarks.http.Results.Memory;
import io.tidegate.benchmarks.http.ServerProcess.Kind;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.load.TidegateProcess.Usage;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs all measurements, with one server of each kind, those of the user, and one load. */
final class Run {

  /** Requests of a batch that fills a server: the most that a batch may have. */
  static final int FILL_BATCH = 100;

  private static final int FILL_CONNECTIONS = 8;

  /** Enough for the slowest machine; the load ends when all series exist. */
  private static final int FILL_MILLIS = 300_000;

  /**
   * A server that answers less than this many times a fixed rate would only queue requests, and is
   * not measured at that rate.
   */
  private static final double TIMES_RATE = 1.1;

  private final Settings settings;
  private final List<Contender> others;
  private final Progress progress;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<Contender> contenders = new ArrayList<>();
  private final List<Load> loads = new ArrayList<>();
  private final List<Memory> memories = new ArrayList<>();

  /**
   * Prepares a run.
   *
   * @param others servers of the user, whose memory is not measured
   */
  Run(Settings settings, List<Contender> others) {
    this.settings = settings;
    this.others = others;
    int scenarios = settings.closedLoops().size() + Settings.PERCENTS.size();
    int ours = Kind.values().length;
    int total = ours + (1 + settings.rounds() * scenarios) * (ours + others.size());
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
      for (Kind kind : Kind.values()) {
        ServerProcess server = startServer(kind);
        servers.add(server);
        contenders.add(server.contender(1));
      }
      contenders.addAll(others);
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
      send(server.contender(1), Scenario.closed(1, 1), 0, settings.warmupMillis());
      Usage before = server.usage();
      Order batches = Order.atMost(series / FILL_BATCH, FILL_MILLIS);
      Contender filled = server.contender(FILL_BATCH);
      double seconds = filled.send(batches, FILL_CONNECTIONS, series).outcome().seconds();
      double resident = server.residentBytes();
      memories.add(new Memory(kind, before, server.usage(), resident, seconds));
    }
  }

  private Results measureLoads() {
    Results results = new Results(settings, new Rounds<>(loads), memories);
    Scenario heaviest = settings.heaviest();
    for (Contender contender : contenders) {
      progress.next("warm-up, " + contender.name());
      send(contender, heaviest, 0, settings.startMillis());
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Scenario scenario : settings.closedLoops()) {
        for (Contender contender : Rounds.inTurn(contenders, round)) {
          measure(contender, scenario, 0, round);
        }
      }
    }
    // All servers at the same rates, which are shares of Tidegate's throughput.
    double highestPerSecond = results.perSecond(Kind.TIDEGATE.label, heaviest);
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int percent : Settings.PERCENTS) {
        Scenario scenario = new Scenario(settings.mostConnections(), Settings.MOST_KEYS, percent);
        int perSecond = Math.max(1, (int) (highestPerSecond * percent / 100));
        for (Contender contender : Rounds.inTurn(contenders, round)) {
          double most = results.perSecond(contender.name(), heaviest);
          if (Kind.labels().contains(contender.name()) || most > TIMES_RATE * perSecond) {
            measure(contender, scenario, perSecond, round);
          }
        }
      }
    }
    return results;
  }

  private void measure(Contender contender, Scenario scenario, int perSecond, int round) {
    String rate = perSecond == 0 ? "" : ", " + Format.MANY.of(perSecond) + "/s";
    progress.next(scenario.label() + rate + ", " + contender.name());
    send(contender, scenario, perSecond, settings.warmupMillis());
    double before = contender.cpuSeconds();
    Sent sent = send(contender, scenario, perSecond, settings.loadMillis());
    double seconds = contender.cpuSeconds() - before;
    long denied = sent.refused().denied();
    long failed = sent.refused().failed();
    loads.add(new Load(contender.name(), scenario, round, sent.outcome(), denied, failed, seconds));
  }

  private static Sent send(Contender contender, Scenario scenario, int perSecond, int millis) {
    Order order = Order.atRate(perSecond, millis);
    return contender.send(order, scenario.connections(), scenario.keys());
  }
}
