package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.HttpContender.CONSTANT;
import static io.tidegate.benchmarks.HttpContender.TIDEGATE;

import io.tidegate.benchmarks.HttpFigures.Load;
import io.tidegate.benchmarks.HttpFigures.Memory;
import io.tidegate.benchmarks.HttpFigures.Scenario;
import java.util.ArrayList;
import java.util.List;

/** Figures as a run of one round would give them, in which each test sets what it is about. */
final class HttpFiguresFixture {

  static final HttpSettings SETTINGS = new HttpSettings(
      true, false, 1, List.of(1, 64), List.of(1, 1_000), List.of(50), 100, 100, 1_000, 10_000);

  private final List<Load> loads = new ArrayList<>();

  /** Both make 1,000 requests a second, of 10 us of CPU each. */
  static HttpFiguresFixture allAlike() {
    HttpFiguresFixture fixture = new HttpFiguresFixture();
    for (HttpContender contender : HttpContender.values()) {
      for (int keys : SETTINGS.keys()) {
        for (int connections : SETTINGS.connections()) {
          fixture.load(contender, new Scenario(connections, keys, HttpFigures.NO_RATE), 1, 1_000);
        }
      }
      fixture.load(contender, new Scenario(64, 1_000, 50), 1, 500);
    }
    return fixture;
  }

  /** In one second, in which the load's thread is busy for half of it. */
  HttpFiguresFixture load(HttpContender contender, Scenario scenario, int round, long requests) {
    return load(contender, scenario, round, requests, 0.5);
  }

  HttpFiguresFixture load(
      HttpContender contender, Scenario scenario, int round, long requests, double loadSeconds) {
    loads.removeIf(load ->
        load.contender() == contender && load.scenario().equals(scenario) && load.round() == round);
    HttpLoad.Outcome outcome = new HttpLoad.Outcome(
        requests,
        1,
        loadSeconds,
        new HttpLoad.Latency(50, 90, 99, 100),
        new HttpLoad.Latency(0, 1, 2, 3));
    loads.add(new Load(contender, scenario, round, outcome, 0.01));
    return this;
  }

  HttpFigures figures() {
    return new HttpFigures(
        loads,
        List.of(
            new Memory(
                TIDEGATE,
                new HttpNode.Holding(1_000_000, 1),
                new HttpNode.Holding(2_500_000, 10_001),
                100_000_000,
                1),
            new Memory(
                CONSTANT,
                new HttpNode.Holding(500_000, 0),
                new HttpNode.Holding(500_000, 0),
                0,
                1)));
  }

  HttpTargets targets() {
    return new HttpTargets(SETTINGS, figures());
  }
}
