package io.tidegate.benchmarks;

import io.tidegate.testkit.MariaDbServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Measures everything that the settings ask for, on one MariaDB. */
final class GlobalRun {

  private final GlobalSettings settings;
  private final Progress progress;
  private final List<GlobalFigures.Load> loads = new ArrayList<>();
  private final List<GlobalFigures.Lag> lags = new ArrayList<>();

  GlobalRun(GlobalSettings settings, PrintStream progress) {
    this.settings = settings;
    int more = (settings.manySeries() > 0 ? 1 : 0) + (settings.spendMillis() > 0 ? 1 : 0);
    int total = GlobalPolicy.values().length + more + 2;
    this.progress = new Progress(progress, total, System::nanoTime);
  }

  GlobalFigures run() {
    try (MariaDbServer server = GlobalDatabase.start()) {
      for (GlobalPolicy policy : GlobalPolicy.values()) {
        load(server, policy, settings.series(), settings.rounds());
      }
      if (settings.manySeries() > 0) {
        load(server, GlobalPolicy.ADAPTIVE, settings.manySeries(), 1);
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
      return new GlobalFigures(loads, lags, spendings, ticks, ceilings);
    } finally {
      progress.end();
    }
  }

  private void load(MariaDbServer server, GlobalPolicy policy, int series, int windows) {
    progress.next("%s series, %s".formatted(Words.count(series), policy.label()));
    GlobalTraffic traffic = new GlobalTraffic(series, settings.windowMillis());
    GlobalLoad.Outcome outcome =
        new GlobalLoad(server, settings).measure(policy, traffic, series, windows);
    loads.addAll(outcome.loads());
    lags.add(outcome.lag());
  }
}
