package io.tidegate.benchmarks.global;

import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
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
    this.progress = new Progress(progress, loads + 4, System::nanoTime);
  }

  Results run() {
    LOG.setLevel(Level.OFF);
    try (Database database = Database.start()) {
      for (Policy policy : Policy.values()) {
        load(database, policy, 1, settings.rounds());
      }
      for (int times : settings.times()) {
        load(database, Policy.ADAPTIVE, times, 1);
      }
      progress.next("overshoot");
      List<Results.Overshoot> overshoots = settings.quick()
          ? List.of()
          : new OvershootTrial(database, settings.windowMillis()).measure();
      progress.next("CPU time of a tick");
      List<Results.Tick> ticks = new TickProbe(Settings.CELLS, settings.ticks()).measure();
      DatabaseProbe probe = new DatabaseProbe(database, settings);
      progress.next("highest throughput of MariaDB");
      List<Results.Ceiling> ceilings = probe.ceilings();
      progress.next("load of larger fleets on MariaDB");
      return new Results(
          settings,
          new Rounds<>(loads),
          new Rounds<>(ends),
          new Rounds<>(overshoots),
          new Rounds<>(ticks),
          ceilings,
          probe.loads());
    } finally {
      progress.end();
    }
  }

  private void load(Database database, Policy policy, int times, int windows) {
    int series = times * settings.series();
    progress.next("%s series, %s".formatted(Format.COUNT.of(series), policy.label()));
    FleetLoad.Outcome outcome =
        new FleetLoad(database, settings.windowMillis()).measure(policy, series, windows);
    loads.addAll(outcome.loads());
    ends.add(outcome.end());
  }
}
