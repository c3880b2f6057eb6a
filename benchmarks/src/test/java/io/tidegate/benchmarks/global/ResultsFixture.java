package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalFigures.Ceiling;
import io.tidegate.benchmarks.GlobalFigures.DatabaseLoad;
import io.tidegate.benchmarks.GlobalFigures.Lag;
import io.tidegate.benchmarks.GlobalFigures.Load;
import io.tidegate.benchmarks.GlobalFigures.Spending;
import io.tidegate.benchmarks.GlobalFigures.Tick;
import io.tidegate.benchmarks.GlobalSpending.Offer;
import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.List;

/** Figures as a run of one window would give them, in which each test sets what it is about. */
final class GlobalFiguresFixture {

  static final int SERIES = 24_000;
  static final GlobalSettings SETTINGS = new GlobalSettings(
      true,
      1,
      60_000,
      SERIES,
      List.of(),
      1_000,
      5,
      1_000,
      60_000,
      240_000,
      1,
      List.of(1),
      1_000,
      List.of(1));

  private final List<Load> loads = new ArrayList<>();
  private final List<Lag> lags = new ArrayList<>();
  private final List<Spending> spendings = new ArrayList<>();
  private final List<Tick> ticks = new ArrayList<>();
  private final List<Ceiling> ceilings = new ArrayList<>();
  private final List<DatabaseLoad> databaseLoads = new ArrayList<>();

  /** All policies alike, and each of them perfect. */
  static GlobalFiguresFixture allAlike() {
    GlobalFiguresFixture fixture = new GlobalFiguresFixture();
    for (GlobalPolicy policy : GlobalPolicy.values()) {
      fixture.load(policy, 1, 600, 6_000).lag(policy, 1);
      for (Offer offer : Offer.values()) {
        fixture.spending(policy, offer, 1);
      }
    }
    for (int perMille : GlobalTicks.CHANGED) {
      fixture.tick(perMille, perMille / 10.0);
    }
    for (GlobalCeiling.Kind kind : GlobalCeiling.Kind.values()) {
      fixture.ceilings.add(new Ceiling(kind, 1, 60_000, 60, 100, 50));
    }
    return fixture.databaseLoad(1, 750);
  }

  /** In ten seconds, for one of which the database was busy. */
  GlobalFiguresFixture load(GlobalPolicy policy, int round, int written, int read) {
    return load(policy, round, written, read, 0);
  }

  GlobalFiguresFixture load(GlobalPolicy policy, int round, int written, int read, int failures) {
    loads.removeIf(load -> load.policy() == policy && load.round() == round);
    loads.add(new Load(
        policy,
        SERIES,
        round,
        100_000,
        new GlobalUse(
            10,
            new MariaDbMeter.Reading(
                330, 660, written * 10L, written * 6L, written * 3L, read * 10L, 0, 0, 1),
            new ExchangeMeter.Reading(
                written * 10L, read * 10L, read * 5L, failures, 1_000_000, 2_000_000),
            new GlobalDriver.Reading(100_000, 10_000, 500_000_000),
            20,
            4,
            new Percentiles(0.1, 0.2, 0.3),
            new Percentiles(3, 30, 40),
            Percentiles.NONE),
        new MariaDbMeter.Size(10_000, 4_000, 3_000_000)));
    return this;
  }

  GlobalFiguresFixture lag(GlobalPolicy policy, double p99Seconds) {
    lags.removeIf(lag -> lag.policy() == policy);
    double millis = 1e3 * p99Seconds;
    lags.add(new Lag(policy, SERIES, 300, 0, new Percentiles(millis / 2, millis, millis)));
    return this;
  }

  GlobalFiguresFixture spending(GlobalPolicy policy, Offer offer, double timesLimit) {
    spendings.removeIf(spending -> spending.policy() == policy && spending.offer() == offer);
    spendings.add(new Spending(policy, offer, timesLimit, 4));
    return this;
  }

  GlobalFiguresFixture tick(int perMille, double millis) {
    ticks.removeIf(tick -> tick.changedPerMille() == perMille);
    ticks.add(new Tick(240_000, perMille, millis / 2, millis / 2));
    return this;
  }

  GlobalFiguresFixture databaseLoad(int times, double written) {
    Percentiles millis = new Percentiles(3, 30, 40);
    databaseLoads.add(new DatabaseLoad(times, written, 50_000, 60, 30, millis, millis));
    return this;
  }

  GlobalFigures figures() {
    return new GlobalFigures(loads, lags, spendings, ticks, ceilings, databaseLoads);
  }

  GlobalTargets targets() {
    return new GlobalTargets(SETTINGS, figures());
  }
}
