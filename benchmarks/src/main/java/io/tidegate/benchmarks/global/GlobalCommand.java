package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.RunOptions;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench global}: runs all measurements, on one MariaDB. */
@Command(
    name = "global",
    description = {
      "Measures 33 nodes in 10 regions that share their counts through MariaDB, under a load like production. Reports,"
          + " for each push policy, the load on the database, the lag between regions and the overshoot; the CPU"
          + " time of a tick; and the load at which MariaDB becomes the bottleneck.",
      "",
      "Starts a MariaDB of its own, on loopback. Nodes, MariaDB and load share the processors of this machine. Prints"
          + " Markdown after about twenty minutes; --rounds is the number of one-minute windows per policy. A missed"
          + " target is reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench global --quick",
      "  tidegate bench global --rounds 1 --json figures.json > global.md"
    },
    usageHelpAutoWidth = true)
public final class GlobalCommand implements Callable<Integer> {

  /** Silenced, because log lines would mix with the progress; failures are part of the report. */
  private static final Logger LOG = Logger.getLogger("io.tidegate");

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RunOptions options;

  @Override
  public Integer call() throws IOException {
    int rounds = options.rounds();
    Settings settings = options.quick() ? Settings.quick(rounds) : Settings.full(rounds);
    return options.run(machine -> new GlobalReport(measure(settings)).report(machine));
  }

  private static Results measure(Settings settings) {
    LOG.setLevel(Level.OFF);
    int fleets = Policy.values().length + settings.fleets().size() - 1;
    Progress progress = new Progress(System.err, fleets + 4, System::nanoTime);
    try (Database database = Database.start()) {
      List<Results.Load> loads = new ArrayList<>();
      List<Results.FleetEnd> ends = new ArrayList<>();
      FleetLoad fleetLoad = new FleetLoad(database, settings.windowMillis());
      for (int times : settings.fleets()) {
        int series = times * settings.series();
        for (Policy policy : times == 1 ? Policy.values() : new Policy[] {Policy.ADAPTIVE}) {
          progress.next("%s series, %s".formatted(Format.COUNT.of(series), policy.label));
          int windows = times == 1 ? settings.rounds() : 1;
          ends.add(fleetLoad.measure(policy, series, windows, loads));
        }
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
      return new Results(settings, loads, ends, overshoots, ticks, ceilings, probe.loads());
    } finally {
      progress.end();
    }
  }
}
