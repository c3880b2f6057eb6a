package io.tidegate.benchmarks.http;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.PERCENT;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.http.ServerProcess.Kind;
import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.load.ServerLoad;
import io.tidegate.benchmarks.load.TidegateProcess.Usage;
import io.tidegate.report.Comparison;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All figures of a run, and the report on them. */
record Results(Settings settings, Rounds<Load> loads, List<Memory> memories) {

  /**
   * The rest is for the work that the framework does not do: authentication, JSON, the decision.
   */
  private static final double TIMES_CONSTANT = 0.85;

  /** CPU time of a request with many keys: less than that of the fastest other server known. */
  private static final double MAX_CPU_MICROS = 10.5;

  private static final String TIDEGATE = Kind.TIDEGATE.label;
  private static final String CONSTANT = Kind.CONSTANT.label;

  /**
   * One server in one round.
   *
   * @param denied answers with status 429
   * @param failed other answers than 2xx
   * @param serverSeconds CPU time of the server's processes; NaN if unknown
   */
  record Load(
      String server,
      Scenario scenario,
      int round,
      Outcome outcome,
      long denied,
      long failed,
      double serverSeconds)
      implements ServerLoad {

    @Override
    public boolean unthrottled() {
      return scenario.percent() == 0;
    }

    double deniedShare() {
      return (double) denied / outcome.requests();
    }

    double failedShare() {
      return (double) failed / outcome.requests();
    }
  }

  /** Memory of a new server, and of the same server with series in it. */
  record Memory(Kind server, Usage before, Usage after, double residentBytes, double fillSeconds) {

    /** Not finite for the constant, which has no series. */
    double bytesPerSeries() {
      return (after.heapBytes() - before.heapBytes()) / (double) (after.series() - before.series());
    }
  }

  private Rounds<Load> loads(String server, Scenario scenario) {
    return loads.where(load -> load.server.equals(server) && load.scenario.equals(scenario));
  }

  double perSecond(String server, Scenario scenario) {
    return loads(server, scenario).of(Load::perSecond).median();
  }

  /** A figure as a multiple of the constant server's in the same scenario and round. */
  private ToDoubleFunction<Load> timesConstant(ToDoubleFunction<Load> figure) {
    return loads.ratioTo(
        load -> load.server.equals(CONSTANT), load -> List.of(load.scenario, load.round), figure);
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
    if (others().findAny().isPresent()) {
      report.paragraph(
          "Other servers were started by the user: %s. 429 is the share of answers with that status, which are"
                  .formatted(others().collect(Collectors.joining(", ")))
              + " denials; answers other than 2xx and 429 are no decisions.");
    }
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
    List<Scenario> scenarios = settings.connections().stream()
        .map(connections -> Scenario.closed(connections, keys))
        .toList();
    Table<Load> table = latencies(table(scenarios, Scenario::connectionsLabel)
            .column("of the constant's", timesConstant(Load::perSecond), RATIO))
        .column("server CPU, s per million", Load::cpuMicros, FIGURE)
        .column("times the constant's", timesConstant(Load::cpuMicros), RATIO)
        .column("server, % of a core", Load::serverPercent, FIGURE)
        .column("load, % of a core", Load::loadPercent, FIGURE);
    if (others().findAny().isPresent()) {
      table
          .column("429", Load::deniedShare, PERCENT)
          .column("other than 2xx", Load::failedShare, PERCENT);
    }
    return table;
  }

  private Table<Load> openLoop() {
    List<Scenario> scenarios = Settings.PERCENTS.stream()
        .map(percent -> new Scenario(settings.mostConnections(), Settings.MOST_KEYS, percent))
        .toList();
    return latencies(table(scenarios, scenario -> scenario.percent() + " %"))
        .column("max, µs", load -> load.outcome.micros().max(), FIGURE)
        .column("send delay p99, µs", load -> load.outcome.delayMicros().p99(), FIGURE)
        .column("server CPU, s per million", Load::cpuMicros, FIGURE);
  }

  /** Lines in the order of the scenarios, and for each of them the servers. */
  private Table<Load> table(List<Scenario> scenarios, Function<Scenario, String> label) {
    List<Load> sorted = scenarios.stream()
        .flatMap(scenario -> servers().flatMap(server -> loads(server, scenario).rows().stream()))
        .toList();
    return Table.of(sorted)
        .label("", load -> label.apply(load.scenario) + ", " + load.server)
        .column("requests/s", Load::perSecond, MANY);
  }

  /** Tidegate, the constant, and then the others. */
  private Stream<String> servers() {
    return Stream.concat(Stream.of(TIDEGATE, CONSTANT), others());
  }

  private Stream<String> others() {
    return loads.rows().stream()
        .map(Load::server)
        .filter(server -> !server.equals(TIDEGATE) && !server.equals(CONSTANT))
        .distinct();
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
    return Stream.concat(Settings.KEYS.stream().map(this::throughput), Stream.of(cpu()))
        .toList();
  }

  private Target cpu() {
    Scenario scenario = Scenario.closed(settings.mostConnections(), Settings.MOST_KEYS);
    Spread micros = loads(TIDEGATE, scenario).of(Load::cpuMicros);
    String text =
        "%s: at most %s µs of CPU for a request".formatted(scenario.label(), MAX_CPU_MICROS);
    return new Target(text, micros.median() <= MAX_CPU_MICROS, FIGURE.of(micros) + " µs");
  }

  private Target throughput(int keys) {
    Scenario scenario = Scenario.closed(settings.mostConnections(), keys);
    Spread times = loads(TIDEGATE, scenario).of(timesConstant(Load::perSecond));
    String text = "%s: at least %.0f %% of the constant's requests"
        .formatted(scenario.label(), 100 * TIMES_CONSTANT);
    return new Target(text, times.median() >= TIMES_CONSTANT, RATIO.of(times));
  }

  /** The cost of a decision beyond a constant answer, and where another server does better. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (Scenario scenario : settings.closedLoops()) {
      Rounds<Load> ours = loads(TIDEGATE, scenario);
      Spread requests = ours.of(timesConstant(Load::perSecond));
      Spread cpu = ours.of(timesConstant(Load::cpuMicros));
      if (requests.median() < 1) {
        losses.add("%s: %s of the constant's requests, at %s of its CPU time for each"
            .formatted(scenario.label(), RATIO.of(requests), RATIO.of(cpu)));
      }
      others()
          .forEach(other -> new Comparison<>(TIDEGATE, ours, other, loads(other, scenario), losses)
              .high(scenario.label() + ", requests/s", Load::perSecond, MANY)
              .low(scenario.label() + ", server CPU in µs", Load::cpuMicros, FIGURE));
    }
    return losses;
  }
}
