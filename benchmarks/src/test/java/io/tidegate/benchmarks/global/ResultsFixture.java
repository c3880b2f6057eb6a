package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.global.OvershootTrial.Offer;
import io.tidegate.benchmarks.global.Results.Ceiling;
import io.tidegate.benchmarks.global.Results.DatabaseLoad;
import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.global.Results.Overshoot;
import io.tidegate.benchmarks.global.Results.Rows;
import io.tidegate.benchmarks.global.Results.Tick;
import io.tidegate.report.Percentiles;
import java.util.ArrayList;
import java.util.List;

/** Results of one window, of which a test sets those that matter to it. */
final class ResultsFixture {

  static final int SERIES = 24_000;
  static final Settings SETTINGS =
      new Settings(true, 1, 60_000, SERIES, List.of(1), 1, List.of(1), 1_000, List.of(1));

  private final List<Load> loads = new ArrayList<>();
  private final List<FleetEnd> ends = new ArrayList<>();
  private final List<Overshoot> overshoots = new ArrayList<>();
  private final List<Tick> ticks = new ArrayList<>();
  private final List<Ceiling> ceilings = new ArrayList<>();
  private final List<DatabaseLoad> databaseLoads = new ArrayList<>();

  /** All policies alike and perfect. */
  static ResultsFixture allAlike() {
    ResultsFixture fixture = new ResultsFixture();
    for (Policy policy : Policy.values()) {
      fixture.load(policy, 1, 600, 6_000).lag(policy, 1);
      for (Offer offer : Offer.values()) {
        fixture.overshoot(policy, offer, 1);
      }
    }
    for (int perMille : TickProbe.CHANGED) {
      fixture.tick(perMille, perMille / 10.0);
    }
    for (DatabaseProbe.Kind kind : DatabaseProbe.Kind.values()) {
      Rows rows = new Rows(new Database.Usage(1, 100, 50), 60_000, 60_000);
      fixture.ceilings.add(new Ceiling(kind, 1, rows, 60));
    }
    return fixture.databaseLoad(1, 750);
  }

  /** A load of ten seconds, with one second of CPU time of the database. */
  ResultsFixture load(Policy policy, int round, int written, int read) {
    return load(policy, round, written, read, 0);
  }

  ResultsFixture load(Policy policy, int round, int written, int read, int failures) {
    loads.removeIf(load -> load.policy() == policy && load.round() == round);
    loads.add(new Load(
        policy,
        SERIES,
        round,
        100_000,
        new Database.Usage(10, 10, 40),
        new Database.Reading(330, 660, written * 10L, written * 6L, written * 3L),
        new ExchangeMeter.Reading(
            written * 10L,
            read * 10L,
            read * 5L,
            failures,
            3_000_000,
            new Percentiles(0.1, 0.2, 0.3),
            new Percentiles(3, 30, 40),
            Percentiles.of(List.of())),
        new Traffic.Sent(100_000, 20)));
    return this;
  }

  ResultsFixture lag(Policy policy, double p99Seconds) {
    ends.removeIf(end -> end.policy() == policy);
    double millis = 1e3 * p99Seconds;
    ends.add(new FleetEnd(
        policy,
        SERIES,
        300,
        0,
        new Percentiles(millis / 2, millis, millis),
        new Database.Size(10_000, 4_000, 3_000_000)));
    return this;
  }

  ResultsFixture overshoot(Policy policy, Offer offer, double timesLimit) {
    overshoots.removeIf(row -> row.policy() == policy && row.offer() == offer);
    overshoots.add(new Overshoot(policy, offer, timesLimit, 4));
    return this;
  }

  ResultsFixture tick(int perMille, double millis) {
    ticks.removeIf(tick -> tick.changedPerMille() == perMille);
    ticks.add(new Tick(240_000, perMille, millis / 2, millis / 2));
    return this;
  }

  ResultsFixture databaseLoad(int times, double written) {
    Percentiles millis = new Percentiles(3, 30, 40);
    Rows rows = new Rows(new Database.Usage(1, 60, 30), written, 50_000);
    databaseLoads.add(new DatabaseLoad(times, rows, millis, millis));
    return this;
  }

  Results results() {
    return new Results(SETTINGS, loads, ends, overshoots, ticks, ceilings, databaseLoads);
  }

  GlobalReport report() {
    return new GlobalReport(results());
  }
}
