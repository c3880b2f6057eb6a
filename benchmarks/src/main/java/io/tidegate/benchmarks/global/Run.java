package io.tidegate.benchmarks.global;

import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import io.tidegate.testkit.MariaDbServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs all measurements, on one MariaDB. */
final class Run {

  /** Silenced, because log lines would mix with the progress; failures are part of the report. */
  private static final Logger LOG = Logger.getLogger("io.tidegate");

  private final Settings settings;
  private final Progress progress;
  private final List<Results.Load> loads = new ArrayList<>();
  private final List<Results.FleetEnd> ends = new ArrayList<>();

  Run(Settings settings, PrintStream progress) {
    this.settings = settings;
    int loads = Policy.values().length + settings.times().size();
    int total = loads + (settings.spendMillis() > 0 ? 1 : 0) + 3;
    this.progress = new Progress(progress, total, System::nanoTime);
  }

  Results run() {
    LOG.setLevel(Level.OFF);
    try (MariaDbServer server = Database.start()) {
      for (Policy policy : Policy.values()) {
        load(server, policy, 1, settings.rounds());
      }
      for (int times : settings.times()) {
        load(server, Policy.ADAPTIVE, times, 1);
      }
      List<Results.Spending> spendings = List.of();
      if (settings.spendMillis() > 0) {
        progress.next("overshoot");
        spendings = new SpendingTrial(server, settings).measure();
      }
      progress.next("CPU time of a tick");
      List<Results.Tick> ticks = new TickProbe(settings).measure();
      progress.next("highest throughput of MariaDB");
      List<Results.Ceiling> ceilings = new CeilingProbe(server, settings).measure();
      progress.next("load of larger fleets on MariaDB");
      List<Results.DatabaseLoad> databaseLoads = new DatabaseProbe(server, settings).measure();
      return new Results(
          settings,
          new Rounds<>(loads),
          new Rounds<>(ends),
          spendings,
          new Rounds<>(ticks),
          ceilings,
          databaseLoads);
    } finally {
      progress.end();
    }
  }

  private void load(MariaDbServer server, Policy policy, int times, int windows) {
    int series = times * settings.series();
    progress.next("%s series, %s".formatted(Format.COUNT.of(series), policy.label()));
    Traffic traffic = new Traffic(series, settings.windowMillis());
    FleetLoad.Outcome outcome =
        new FleetLoad(server, settings).measure(policy, traffic, series, windows);
    loads.addAll(outcome.loads());
    ends.add(outcome.end());
  }
}
