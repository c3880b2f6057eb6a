package io.tidegate.benchmarks;

import io.tidegate.benchmarks.RegionalFigures.Burst;
import io.tidegate.benchmarks.RegionalFigures.Lag;
import io.tidegate.benchmarks.RegionalFigures.Load;
import io.tidegate.benchmarks.RegionalFigures.Pace;
import io.tidegate.benchmarks.RegionalFigures.Tally;
import io.tidegate.benchmarks.RegionalFigures.Traffic;
import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.List;

/** Figures as a run of one round would give them, in which each test sets what it is about. */
final class RegionalFiguresFixture {

  static final int KEYS = 1_000;
  static final RegionalSettings SETTINGS =
      new RegionalSettings(true, 1, List.of(KEYS), 100, 1_000, 10, 1);

  private final List<Load> loads = new ArrayList<>();
  private final List<Lag> lags = new ArrayList<>();
  private final List<Burst> bursts = new ArrayList<>();

  /** All contenders alike, and each of them perfect. */
  static RegionalFiguresFixture allAlike() {
    RegionalFiguresFixture fixture = new RegionalFiguresFixture();
    for (RegionalContender contender : RegionalContender.values()) {
      fixture.load(contender, 1, 1_000, 1_000, 0).lag(contender, 1, 1);
      for (Pace pace : Pace.values()) {
        fixture.burst(contender, pace, 1, 1.0);
      }
    }
    return fixture;
  }

  /** In one second, over 100 cells. */
  RegionalFiguresFixture load(
      RegionalContender contender, int round, long decisions, long messages, long lost) {
    loads.removeIf(load -> load.contender() == contender && load.round() == round);
    loads.add(new Load(
        KEYS,
        contender,
        round,
        100,
        500,
        new Traffic(1, decisions, 2 * messages, messages, 0.25),
        5,
        new Tally(decisions, decisions - lost, lost)));
    return this;
  }

  RegionalFiguresFixture lag(RegionalContender contender, int round, double p99Millis) {
    lags.removeIf(lag -> lag.contender() == contender && lag.round() == round);
    lags.add(new Lag(
        contender,
        round,
        new Percentiles(p99Millis / 2, p99Millis, p99Millis),
        new Percentiles(1, 2, 3)));
    return this;
  }

  RegionalFiguresFixture burst(
      RegionalContender contender, Pace pace, int round, double timesLimit) {
    bursts.removeIf(
        burst -> burst.contender() == contender && burst.pace() == pace && burst.round() == round);
    bursts.add(new Burst(contender, pace, round, timesLimit));
    return this;
  }

  RegionalFigures figures() {
    return new RegionalFigures(loads, lags, bursts);
  }

  RegionalTargets targets() {
    return new RegionalTargets(SETTINGS, figures());
  }
}
