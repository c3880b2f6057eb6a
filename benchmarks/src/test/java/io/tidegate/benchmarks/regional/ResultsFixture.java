package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.regional.Results.Lag;
import io.tidegate.benchmarks.regional.Results.Load;
import io.tidegate.benchmarks.regional.Results.Overshoot;
import io.tidegate.report.Percentiles;
import io.tidegate.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** Results of one round, of which a test sets those that matter to it. */
final class ResultsFixture {

  static final int KEYS = 1_000;
  static final Settings SETTINGS = new Settings(true, 1, List.of(KEYS), 100, 1_000, 10, 1);

  private final List<Load> loads = new ArrayList<>();
  private final List<Lag> lags = new ArrayList<>();
  private final List<Overshoot> overshoots = new ArrayList<>();

  /** All contenders alike and perfect. */
  static ResultsFixture allAlike() {
    ResultsFixture fixture = new ResultsFixture();
    for (Contender contender : Contender.values()) {
      fixture.load(contender, 1, 1_000, 1_000, 0).lag(contender, 1, 1).overshoot(contender, 1, 1);
    }
    return fixture;
  }

  /** In one second, over 100 cells. */
  ResultsFixture load(Contender contender, int round, long decisions, long messages, long lost) {
    loads.removeIf(load -> load.contender() == contender && load.round() == round);
    loads.add(new Load(
        KEYS,
        contender,
        round,
        100,
        500,
        decisions,
        messages,
        2 * messages,
        25,
        5,
        decisions,
        decisions - lost));
    return this;
  }

  ResultsFixture lag(Contender contender, int round, double p99Millis) {
    lags.removeIf(lag -> lag.contender() == contender && lag.round() == round);
    lags.add(new Lag(
        contender,
        round,
        new Percentiles(p99Millis / 2, p99Millis, p99Millis),
        new Percentiles(1, 2, 3)));
    return this;
  }

  ResultsFixture overshoot(Contender contender, double unthrottled, double paced) {
    overshoots.removeIf(row -> row.contender() == contender);
    overshoots.add(new Overshoot(contender, 1, unthrottled, paced));
    return this;
  }

  Results results() {
    return new Results(SETTINGS, new Rounds<>(loads), new Rounds<>(lags), new Rounds<>(overshoots));
  }
}
