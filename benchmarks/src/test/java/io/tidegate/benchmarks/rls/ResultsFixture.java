package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.load.Latency;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.rls.Results.Load;
import io.tidegate.benchmarks.rls.ServerProcess.Kind;
import io.tidegate.benchmarks.rls.Settings.Connections;
import io.tidegate.benchmarks.rls.Settings.Scenario;
import io.tidegate.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** Results of one round, of which a test sets those that matter to it. */
final class ResultsFixture {

  static final Settings SETTINGS = new Settings(
      true,
      false,
      1,
      List.of(new Connections(1, 1), Settings.MULTIPLEXED),
      100_000,
      100,
      100,
      1_000);

  private final List<Load> loads = new ArrayList<>();

  /** Both servers answer 1,000 requests per second, with 10 us of CPU time each. */
  static ResultsFixture allAlike() {
    ResultsFixture fixture = new ResultsFixture();
    for (String server : Kind.labels()) {
      fixture.addServer(server, 0.01);
    }
    return fixture;
  }

  /** Adds a server that answers 1,000 requests per second in this CPU time. */
  ResultsFixture addServer(String server, double seconds) {
    for (Scenario scenario : SETTINGS.closedLoops()) {
      load(server, scenario, 1, 1_000, seconds);
    }
    return load(server, SETTINGS.openLoops().get(1), 1, 500, seconds / 2);
  }

  /** A load of one second that takes half of it in CPU time of the load generator. */
  ResultsFixture load(
      String server, Scenario scenario, int round, long requests, double serverSeconds) {
    return load(server, scenario, round, requests, serverSeconds, 0.5);
  }

  ResultsFixture load(
      String server,
      Scenario scenario,
      int round,
      long requests,
      double serverSeconds,
      double loadSeconds) {
    loads.removeIf(load ->
        load.server().equals(server) && load.scenario().equals(scenario) && load.round() == round);
    Outcome outcome = new Outcome(
        requests, 1, loadSeconds, new Latency(50, 90, 99, 100), new Latency(0, 1, 2, 3));
    long overLimit = scenario.message().over() ? requests : 0;
    loads.add(new Load(server, scenario, round, outcome, overLimit, serverSeconds));
    return this;
  }

  Results results() {
    return new Results(SETTINGS, new Rounds<>(loads));
  }
}
