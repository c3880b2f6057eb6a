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
    this.progress = new Progress(progress, loads + 4, System::nanoTime);
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
      progress.next("overshoot");
      List<Results.Overshoot> overshoots = settings.quick()
          ? List.of()
          : new OvershootTrial(server, settings.windowMillis()).measure();
      progress.next("CPU time of a tick");
      List<Results.Tick> ticks = new TickProbe(Settings.CELLS, settings.ticks()).measure();
      DatabaseProbe database = new DatabaseProbe(server, settings);
      progress.next("highest throughput of MariaDB");
      List<Results.Ceiling> ceilings = database.ceilings();
      progress.next("load of larger fleets on MariaDB");
      return new Results(
          settings,
          new Rounds<>(loads),
          new Rounds<>(ends),
          new Rounds<>(overshoots),
          new Rounds<>(ticks),
          ceilings,
          database.loads());
    } finally {
      progress.end();
    }
  }

  private void load(MariaDbServer server, Policy policy, int times, int windows) {
    int series = times * settings.series();
    progress.next("%s series, %s".formatted(Format.COUNT.of(series), policy.label()));
    FleetLoad.Outcome outcome =
        new FleetLoad(server, settings.windowMillis()).measure(policy, series, windows);
    loads.addAll(outcome.loads());
    ends.add(outcome.end());
  }
}
