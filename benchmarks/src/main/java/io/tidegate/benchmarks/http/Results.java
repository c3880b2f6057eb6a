package io.tidegate.benchmarks.http;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.http.ServerProcess.Kind;
import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.load.ServerLoad;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** All figures of a run, and the report on them. */
record Results(Settings settings, Rounds<Load> loads, List<Memory> memories) {

  /**
   * The rest is for the work that the framework does not do: authentication, JSON, the decision.
   */
  private static final double TIMES_CONSTANT = 0.8;

  /**
   * One server in one round.
   *
   * @param serverSeconds CPU time of the server's process
   */
  record Load(
      Kind server,
      Scenario scenario,
      int round,
      LoadGenerator.Outcome outcome,
      double serverSeconds)
      implements ServerLoad {

    @Override
    public boolean unthrottled() {
      return scenario.percent() == 0;
    }
  }

  /** Memory of a new server, and of the same server with series in it. */
  record Memory(
      Kind server,
      ServerProcess.Usage before,
      ServerProcess.Usage after,
      double residentBytes,
      double fillSeconds) {

    /** Not finite for the constant, which has no series. */
    double bytesPerSeries() {
      return (after.heapBytes() - before.heapBytes()) / (double) (after.series() - before.series());
    }
  }

  Rounds<Load> tidegate(Scenario scenario) {
    return loads.where(load -> load.server == Kind.TIDEGATE && load.scenario.equals(scenario));
  }

  /** A figure as a multiple of the constant server's in the same scenario and round. */
  private ToDoubleFunction<Load> timesConstant(ToDoubleFunction<Load> figure) {
    return loads.ratioTo(
        load -> load.server == Kind.CONSTANT, load -> List.of(load.scenario, load.round), figure);
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .data("loads", loads.rows())
        .data("memories", memories)
        .paragraph("%d rounds; in each %d ms measured after %d ms of warm-up. %s"
            .formatted(
                settings.rounds(),
                settings.loadMillis(),
                settings.warmupMillis(),
                Processors.eventLoops(settings.pinned())));
    if (settings.quick()) {
      report.quick("little time for each figure, and to compile the servers.");
    }
    report.paragraph(
        "Figures are median [min..max] of the rounds. Server CPU is the CPU time of the server's process per million"
            + " requests; load CPU is that of the one thread that sends them.");
    for (int keys : Settings.KEYS) {
      report.section(Identifiers.label(keys) + ", unthrottled").table(closedLoop(keys));
    }
    ServerLoad.warnOfSaturation(report, loads.rows());
    report
        .section(Identifiers.label(Settings.MOST_KEYS) + ", at fixed rates")
        .paragraph(
            "Requests are due at fractions of Tidegate's maximum rate, whether or not answers have arrived, over %d"
                    .formatted(settings.mostConnections())
                + " connections. Latency counts from when a request is due; send delay is the part until it is sent.")
        .table(openLoop());
    report
        .section("Memory")
        .paragraph(
            "A new server, filled with %s series in batches of %d. Heap is measured after a collection, resident"
                    .formatted(COUNT.of(settings.series()), Run.FILL_BATCH)
                + " memory just before it.")
        .table(memory());
    return report.targets(targets()).losses(losses());
  }

  private Table<Load> closedLoop(int keys) {
    return latencies(table(
                load -> load.scenario.percent() == 0 && load.scenario.keys() == keys,
                load -> load.scenario.connectionsLabel())
            .column("of the constant's", timesConstant(Load::perSecond), RATIO))
        .column("server CPU, s per million", Load::cpuMicros, FIGURE)
        .column("times the constant's", timesConstant(Load::cpuMicros), RATIO)
        .column("server, % of a core", Load::serverPercent, FIGURE)
        .column("load, % of a core", Load::loadPercent, FIGURE);
  }

  private Table<Load> openLoop() {
    return latencies(
            table(load -> load.scenario.percent() > 0, load -> load.scenario.percent() + " %"))
        .column("max, µs", load -> load.outcome.micros().max(), FIGURE)
        .column("send delay p99, µs", load -> load.outcome.delayMicros().p99(), FIGURE)
        .column("server CPU, s per million", Load::cpuMicros, FIGURE);
  }

  private Table<Load> table(Predicate<Load> condition, Function<Load, String> label) {
    Comparator<Load> order = Comparator.comparing(load -> load.scenario.connections());
    List<Load> sorted = loads.where(condition).rows().stream()
        .sorted(order.thenComparing(load -> load.scenario.percent()).thenComparing(Load::server))
        .toList();
    return Table.of(sorted)
        .label("", load -> label.apply(load) + ", " + load.server.label)
        .column("requests/s", Load::perSecond, MANY);
  }

  private static Table<Load> latencies(Table<Load> table) {
    return table
        .column("latency p50, µs", load -> load.outcome.micros().p50(), FIGURE)
        .column("p99, µs", load -> load.outcome.micros().p99(), FIGURE)
        .column("p99.9, µs", load -> load.outcome.micros().p999(), FIGURE);
  }

  private Table<Memory> memory() {
    return Table.of(memories)
        .label("", memory -> memory.server.label)
        .column("series", memory -> memory.after.series(), COUNT)
        .column("filled in, s", Memory::fillSeconds, FIGURE)
        .column("resident, MB", memory -> memory.residentBytes / 1e6, FIGURE)
        .column("heap before, MB", memory -> memory.before.heapBytes() / 1e6, FIGURE)
        .column("heap after, MB", memory -> memory.after.heapBytes() / 1e6, FIGURE)
        .column("B per series", Memory::bytesPerSeries, COUNT);
  }

  List<Target> targets() {
    return Settings.KEYS.stream().map(this::throughput).toList();
  }

  private Target throughput(int keys) {
    Scenario scenario = Scenario.closed(settings.mostConnections(), keys);
    Spread times = tidegate(scenario).of(timesConstant(Load::perSecond));
    String text = "%s: at least %.0f %% of the constant's requests"
        .formatted(scenario.label(), 100 * TIMES_CONSTANT);
    return new Target(text, times.median() >= TIMES_CONSTANT, RATIO.of(times));
  }

  /** The cost of a decision beyond a constant answer. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (Scenario scenario : settings.closedLoops()) {
      Spread requests = tidegate(scenario).of(timesConstant(Load::perSecond));
      Spread cpu = tidegate(scenario).of(timesConstant(Load::cpuMicros));
      if (requests.median() < 1) {
        losses.add("%s: %s of the constant's requests, at %s of its CPU time for each"
            .formatted(scenario.label(), RATIO.of(requests), RATIO.of(cpu)));
      }
    }
    return losses;
  }
}
