package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.benchmarks.http.Results.Memory;
import io.tidegate.benchmarks.http.ServerProcess.Kind;
import io.tidegate.benchmarks.load.Latency;
import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.load.TidegateProcess.Usage;
import io.tidegate.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** Results of one round, of which a test sets those that matter to it. */
final class ResultsFixture {

  static final Settings SETTINGS =
      new Settings(true, false, 1, List.of(1, 64), 100, 100, 1_000, 10_000);

  static final String TIDEGATE = Kind.TIDEGATE.label;
  static final String CONSTANT = Kind.CONSTANT.label;

  private final List<Load> loads = new ArrayList<>();

  /** Both servers answer 1,000 requests per second, with 10 us of CPU time each. */
  static ResultsFixture allAlike() {
    ResultsFixture fixture = new ResultsFixture();
    for (String server : Kind.labels()) {
      for (Scenario scenario : SETTINGS.closedLoops()) {
        fixture.load(server, scenario, 1, 1_000);
      }
      fixture.load(server, new Scenario(64, 100_000, 50), 1, 500);
    }
    return fixture;
  }

  /** A load of one second that takes half of it in CPU time of the load generator. */
  ResultsFixture load(String server, Scenario scenario, int round, long requests) {
    return load(server, scenario, round, requests, 0.5);
  }

  ResultsFixture load(
      String server, Scenario scenario, int round, long requests, double loadSeconds) {
    loads.removeIf(load ->
        load.server().equals(server) && load.scenario().equals(scenario) && load.round() == round);
    LoadGenerator.Outcome outcome = new LoadGenerator.Outcome(
        requests, 1, loadSeconds, new Latency(50, 90, 99, 100), new Latency(0, 1, 2, 3));
    loads.add(new Load(server, scenario, round, outcome, requests / 4, requests / 5, 0.01));
    return this;
  }

  Results results() {
    return new Results(
        SETTINGS,
        new Rounds<>(loads),
        List.of(
            new Memory(
                Kind.TIDEGATE,
                new Usage(1_000_000, 1),
                new Usage(2_500_000, 10_001),
                100_000_000,
                1),
            new Memory(
                Kind.CONSTANT, new Usage(500_000, 0), new Usage(500_000, 0), Double.NaN, 1)));
  }
}
