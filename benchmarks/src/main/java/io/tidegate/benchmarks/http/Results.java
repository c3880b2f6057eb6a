package io.tidegate.benchmarks.http;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Table;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** All figures of a run, and the report on them. */
record Results(Settings settings, Rounds<Load> loads, List<Memory> memories) {

  /** Above this CPU share of its thread, the load generator limits the measured throughput. */
  private static final int LOAD_IS_BUSY_PERCENT = 90;

  /** Server and load use at least this share of their processors unless others take them. */
  private static final int LEAST_USED_PERCENT = 70;

  /**
   * One server in one round.
   *
   * @param serverSeconds CPU time of the server's process
   */
  record Load(
      ServerKind server,
      Scenario scenario,
      int round,
      LoadGenerator.Outcome outcome,
      double serverSeconds) {

    double perSecond() {
      return outcome.perSecond();
    }

    double serverSecondsPerMillion() {
      return 1e6 * serverSeconds / outcome.requests();
    }

    double serverPercent() {
      return 100 * serverSeconds / outcome.seconds();
    }

    double loadPercent() {
      return outcome.busyPercent();
    }
  }

  /**
   * Memory of a new server, and of the same server with series in it.
   *
   * @param residentBytes resident memory with the series; 0 if the system does not report it
   */
  record Memory(
      ServerKind server,
      ServerProcess.Usage before,
      ServerProcess.Usage after,
      long residentBytes,
      double fillSeconds) {

    double bytesPerSeries() {
      return (double) (after.heapBytes() - before.heapBytes()) / (after.series() - before.series());
    }
  }

  Rounds<Load> of(ServerKind server, Scenario scenario) {
    return loads.where(load -> load.server == server && load.scenario.equals(scenario));
  }

  /** A figure as a multiple of the constant server's in the same scenario and round. */
  ToDoubleFunction<Load> timesConstant(ToDoubleFunction<Load> figure) {
    return loads.ratioTo(
        load -> load.server == ServerKind.CONSTANT,
        load -> List.of(load.scenario, load.round),
        figure);
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .paragraph("%d rounds; in each %d ms measured after %d ms of warm-up. %s"
            .formatted(
                settings.rounds(),
                settings.loadMillis(),
                settings.warmupMillis(),
                settings.pinned()
                    ? "The server has one processor and one event loop, the load has another processor."
                    : "Server and load share all processors; the server has %d event loops."
                        .formatted(settings.eventLoops())));
    if (settings.quick()) {
      report.quick("little time for each figure, and to compile the servers.");
    }
    report.paragraph(
        "Figures are median [min..max] of the rounds. Server CPU is the CPU time of the server's process per million"
            + " requests; load CPU is that of the one thread that sends them.");
    for (int keys : settings.keys()) {
      report.section(Scenario.keysLabel(keys) + ", unthrottled").table("loads", closedLoop(keys));
      warnings(keys, machine).forEach(report::paragraph);
    }
    report
        .section("%s keys, at fixed rates".formatted(COUNT.of(settings.mostKeys())))
        .paragraph(
            "Requests are due at fractions of Tidegate's maximum rate, whether or not answers have arrived, over %d"
                    .formatted(settings.mostConnections())
                + " connections. Latency counts from when a request is due; send delay is the part until it is sent.")
        .table("loads", openLoop());
    report
        .section("Memory")
        .paragraph(
            "A new server, filled with %s series in batches of %d. Heap is measured after a collection, resident"
                    .formatted(COUNT.of(settings.series()), Run.FILL_BATCH)
                + " memory just before it.")
        .table("memories", memory());
    Targets targets = new Targets(this);
    return report.targets(targets.targets()).losses(targets.losses());
  }

  private Table<Load> closedLoop(int keys) {
    return latencies(table(
                loads.where(load -> load.scenario.isClosed() && load.scenario.keys() == keys))
            .label("", load -> load.scenario.connectionsLabel() + ", " + load.server.label())
            .column("requests/s", "requestsPerSecond", Load::perSecond, MANY)
            .where(
                load -> load.server == ServerKind.TIDEGATE,
                ours -> ours.column("of the constant's", timesConstant(Load::perSecond), RATIO)))
        .field("maxMicros", load -> load.outcome.micros().max())
        .column(
            "server CPU, s per million",
            "serverCpuSecondsPerMillion",
            Load::serverSecondsPerMillion,
            FIGURE)
        .where(
            load -> load.server == ServerKind.TIDEGATE,
            ours -> ours.column(
                "times the constant's", timesConstant(Load::serverSecondsPerMillion), RATIO))
        .column("server, % of a core", "serverPercent", Load::serverPercent, FIGURE)
        .column("load, % of a core", "loadPercent", Load::loadPercent, FIGURE);
  }

  private Table<Load> openLoop() {
    return latencies(table(loads.where(load -> !load.scenario.isClosed()))
            .label("", load -> load.scenario.percent() + " %, " + load.server.label())
            .column("requests/s", "requestsPerSecond", Load::perSecond, MANY))
        .column("max, µs", "maxMicros", load -> load.outcome.micros().max(), FIGURE)
        .column(
            "send delay p99, µs",
            "sendDelayP99Micros",
            load -> load.outcome.delayMicros().p99(),
            FIGURE)
        .column(
            "server CPU, s per million",
            "serverCpuSecondsPerMillion",
            Load::serverSecondsPerMillion,
            FIGURE)
        .field("loadPercent", Load::loadPercent);
  }

  private static Table<Load> table(Rounds<Load> loads) {
    return Table.of(loads.rows().stream()
            .sorted(Comparator.<Load, Integer>comparing(load -> load.scenario.connections())
                .thenComparing(load -> load.scenario.percent())
                .thenComparing(Load::server))
            .toList())
        .field("server", load -> load.server.label())
        .field("connections", load -> load.scenario.connections())
        .field("keys", load -> load.scenario.keys())
        .field("percentOfHighest", load -> load.scenario.percent())
        .field("round", Load::round)
        .field("requests", load -> load.outcome.requests())
        .field("seconds", load -> load.outcome.seconds());
  }

  private static Table<Load> latencies(Table<Load> table) {
    return table
        .column("latency p50, µs", "p50Micros", load -> load.outcome.micros().p50(), FIGURE)
        .column("p99, µs", "p99Micros", load -> load.outcome.micros().p99(), FIGURE)
        .column("p99.9, µs", "p999Micros", load -> load.outcome.micros().p999(), FIGURE);
  }

  /** Reasons to distrust the throughput with this many keys. */
  private Stream<String> warnings(int keys, Machine machine) {
    boolean loadIsBusy = settings.connections().stream()
        .map(connections -> Scenario.closed(connections, keys))
        .flatMap(scenario -> Stream.of(ServerKind.values()).map(server -> of(server, scenario)))
        .anyMatch(rounds -> rounds.of(Load::loadPercent).median() > LOAD_IS_BUSY_PERCENT);
    if (loadIsBusy) {
      return Stream.of(
          "**The load generator was saturated**: its thread used more than %d %% of a core in some lines. There the"
                  .formatted(LOAD_IS_BUSY_PERCENT)
              + " servers could have answered more requests.");
    }
    double used = usedPercent(keys, machine);
    return used >= LEAST_USED_PERCENT
        ? Stream.empty()
        : Stream.of(
            "**Other processes used the processors**: with the most connections, server and load had only %s %% of"
                    .formatted(FIGURE.of(used))
                + " them. Prefer the CPU time per request to the requests per second.");
  }

  /** The share of their processors that server and load had, at worst. */
  private double usedPercent(int keys, Machine machine) {
    Scenario scenario = Scenario.closed(settings.mostConnections(), keys);
    int processors = Math.min(machine.processors(), settings.eventLoops() + 1);
    return Stream.of(ServerKind.values())
        .map(server -> of(server, scenario)
            .of(load -> (load.serverPercent() + load.loadPercent()) / processors))
        .mapToDouble(spread -> spread.median())
        .min()
        .orElseThrow();
  }

  private Table<Memory> memory() {
    return Table.of(memories)
        .label("", memory -> memory.server.label())
        .field("server", memory -> memory.server.label())
        .column("series", "series", memory -> memory.after.series(), COUNT)
        .column("filled in, s", "fillSeconds", Memory::fillSeconds, FIGURE)
        .where(
            memory -> memory.residentBytes > 0,
            measured -> measured.column(
                "resident, MB", "residentMegabytes", memory -> memory.residentBytes / 1e6, FIGURE))
        .column(
            "heap before, MB",
            "heapMegabytesBefore",
            memory -> memory.before.heapBytes() / 1e6,
            FIGURE)
        .column(
            "heap after, MB",
            "heapMegabytesAfter",
            memory -> memory.after.heapBytes() / 1e6,
            FIGURE)
        .where(
            memory -> memory.after.series() > memory.before.series(),
            filled ->
                filled.column("B per series", "bytesPerSeries", Memory::bytesPerSeries, COUNT));
  }
}
