package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.rls.Results.Load;
import io.tidegate.benchmarks.rls.ServerProcess.Kind;
import io.tidegate.benchmarks.rls.Settings.Message;
import io.tidegate.benchmarks.rls.Settings.Scenario;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs all measurements, with one server of each kind, those of the user, and one load. */
final class Run {

  /** Enough for the slowest server; the load ends when all keys were used. */
  private static final int FILL_MILLIS = 120_000;

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

  Run(Settings settings, List<Contender> others) {
    this.settings = settings;
    this.others = others;
    int scenarios = settings.closedLoops().size() + settings.openLoops().size();
    int total = (1 + settings.rounds() * scenarios) * (Kind.values().length + others.size());
    this.progress = new Progress(System.err, total, System::nanoTime);
  }

  Results run() throws IOException {
    if (settings.pinned()) {
      Processors.bindLoad();
    }
    try {
      for (Kind kind : Kind.values()) {
        startServer(kind);
      }
      contenders.addAll(others);
      return measure();
    } finally {
      progress.end();
      for (ServerProcess server : servers) {
        server.close();
      }
    }
  }

  private void startServer(Kind kind) throws IOException {
    String[] prefix = settings.pinned() ? Processors.serverPrefix() : new String[0];
    ServerProcess server = new ServerProcess(kind, settings.eventLoops(), prefix);
    servers.add(server);
    contenders.add(server.contender());
  }

  private Results measure() throws IOException {
    Results results = new Results(settings, new Rounds<>(loads));
    for (Contender contender : contenders) {
      progress.next("warm-up, " + contender.name());
      warmUp(contender);
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Scenario scenario : settings.closedLoops()) {
        for (Contender contender : Rounds.inTurn(contenders, round)) {
          measure(contender, scenario, 0, round);
        }
      }
    }
    // All servers at the same rates, which are shares of Tidegate's throughput.
    double highestPerSecond = results.perSecond(Kind.TIDEGATE.label, settings.heaviest());
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Scenario scenario : settings.openLoops()) {
        int perSecond = Math.max(1, (int) (highestPerSecond * scenario.percent() / 100));
        for (Contender contender : Rounds.inTurn(contenders, round)) {
          double most = results.perSecond(contender.name(), settings.heaviest());
          if (contender.name().equals(Kind.TIDEGATE.label) || most > TIMES_RATE * perSecond) {
            measure(contender, scenario, perSecond, round);
          }
        }
      }
    }
    return results;
  }

  /** Uses every key once, after which those of low limits are exceeded, and then all of them. */
  private void warmUp(Contender contender) throws IOException {
    for (Message message : Message.ALL) {
      Scenario scenario = Scenario.closed(Settings.MULTIPLEXED, message, settings.keys());
      send(contender, scenario, Order.atMost(settings.keys(), FILL_MILLIS));
      send(contender, scenario, Order.unthrottled(settings.startMillis() / Message.ALL.size()));
    }
  }

  private void measure(Contender contender, Scenario scenario, int perSecond, int round)
      throws IOException {
    String rate = perSecond == 0 ? "" : ", " + Format.MANY.of(perSecond) + "/s";
    progress.next(scenario.label() + rate + ", " + contender.name());
    send(contender, scenario, Order.atRate(perSecond, settings.warmupMillis()));
    double before = contender.cpuSeconds();
    Sent sent = send(contender, scenario, Order.atRate(perSecond, settings.loadMillis()));
    double serverSeconds = contender.cpuSeconds() - before;
    Load load =
        new Load(contender.name(), scenario, round, sent.outcome, sent.overLimit, serverSeconds);
    if (contender.name().equals(Kind.TIDEGATE.label)) {
      load.requireVerdicts();
    }
    loads.add(load);
  }

  private record Sent(Outcome outcome, long overLimit) {}

  private static Sent send(Contender contender, Scenario scenario, Order order) throws IOException {
    String authority =
        contender.address().getHostString() + ":" + contender.address().getPort();
    CallFrames calls = new CallFrames(authority, scenario.message(), scenario.keys());
    List<GrpcConnection> connections = new ArrayList<>();
    Outcome outcome = LoadGenerator.run(order, scenario.connections().count(), () -> {
      GrpcConnection connection =
          new GrpcConnection(contender.address(), scenario.connections().streams(), calls);
      connections.add(connection);
      return connection;
    });
    return new Sent(
        outcome, connections.stream().mapToLong(GrpcConnection::overLimit).sum());
  }
}
