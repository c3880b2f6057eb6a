package io.tidegate.benchmarks;

import io.tidegate.report.Progress;
import io.tidegate.report.Words;
import io.tidegate.testkit.MariaDbServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures everything that the settings ask for, on one MariaDB. */
final class GlobalRun {

  /** What nodes log would end up in the midst of the progress; failures are counted and told. */
  private static final Logger LOG = Logger.getLogger("io.tidegate");

  private final GlobalSettings settings;
  private final Progress progress;
  private final List<GlobalFigures.Load> loads = new ArrayList<>();
  private final List<GlobalFigures.Lag> lags = new ArrayList<>();

  GlobalRun(GlobalSettings settings, PrintStream progress) {
    this.settings = settings;
    int loads = GlobalPolicy.values().length + settings.times().size();
    int total = loads + (settings.spendMillis() > 0 ? 1 : 0) + 3;
    this.progress = new Progress(progress, total, System::nanoTime);
  }

  GlobalFigures run() {
    LOG.setLevel(Level.OFF);
    try (MariaDbServer server = GlobalDatabase.start()) {
      for (GlobalPolicy policy : GlobalPolicy.values()) {
        load(server, policy, 1, settings.rounds());
      }
      for (int times : settings.times()) {
        load(server, GlobalPolicy.ADAPTIVE, times, 1);
      }
      List<GlobalFigures.Spending> spendings = List.of();
      if (settings.spendMillis() > 0) {
        progress.next("how much of a limit gets through");
        spendings = new GlobalSpending(server, settings).measure();
      }
      progress.next("what a tick takes");
      List<GlobalFigures.Tick> ticks = new GlobalTicks(settings).measure();
      progress.next("where MariaDB becomes the limit");
      List<GlobalFigures.Ceiling> ceilings = new GlobalCeiling(server, settings).measure();
      progress.next("what more nodes would ask of MariaDB");
      List<GlobalFigures.DatabaseLoad> databaseLoads =
          new GlobalDatabaseLoad(server, settings).measure();
      return new GlobalFigures(loads, lags, spendings, ticks, ceilings, databaseLoads);
    } finally {
      progress.end();
    }
  }

  private void load(MariaDbServer server, GlobalPolicy policy, int times, int windows) {
    int series = times * settings.series();
    progress.next("%s series, %s".formatted(Words.count(series), policy.label()));
    GlobalTraffic traffic = new GlobalTraffic(series, settings.windowMillis());
    GlobalLoad.Outcome outcome =
        new GlobalLoad(server, settings).measure(policy, traffic, series, windows);
    loads.addAll(outcome.loads());
    lags.add(outcome.lag());
  }
}
