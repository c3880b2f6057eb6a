package io.tidegate.benchmarks.rls;

import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.PERCENT;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.ServerLoad;
import io.tidegate.benchmarks.rls.ServerProcess.Kind;
import io.tidegate.benchmarks.rls.Settings.Message;
import io.tidegate.benchmarks.rls.Settings.Scenario;
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
import java.util.stream.Stream;

/** All figures of a run, and the report on them. */
record Results(Settings settings, Rounds<Load> loads) {

  private static final String TIDEGATE = Kind.TIDEGATE.label;
  private static final String CONSTANT = Kind.CONSTANT.label;

  /** The rest is for the work that the framework does not do: messages, rules, the decision. */
  private static final double TIMES_CONSTANT = 0.8;

  /** A window may end during a run, which allows some requests again. */
  private static final double EXPECTED_SHARE = 0.99;

  /**
   * One server in one round.
   *
   * @param overLimit answers that said OVER_LIMIT
   * @param serverSeconds CPU time of the server's process; NaN if unknown
   */
  record Load(
      String server,
      Scenario scenario,
      int round,
      Outcome outcome,
      long overLimit,
      double serverSeconds)
      implements ServerLoad {

    @Override
    public boolean unthrottled() {
      return scenario.percent() == 0;
    }

    double overLimitShare() {
      return (double) overLimit / outcome.requests();
    }

    /** Fails if the server did not decide as the rules say. */
    void requireVerdicts() {
      double right = scenario.message().over() ? overLimitShare() : 1 - overLimitShare();
      if (right < EXPECTED_SHARE) {
        throw new IllegalStateException("%s: %s of %s answers were OVER_LIMIT"
            .formatted(scenario.label(), overLimit, outcome.requests()));
      }
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
        "Figures are median [min..max] of the rounds. Server CPU is the CPU time of the server's process per request;"
            + " load CPU is that of the one thread that sends them. Each stream has one request at a time.");
    for (int keys : settings.numbersOfKeys()) {
      List<Scenario> scenarios = settings.connections().stream()
          .map(connections -> Scenario.closed(connections, Message.SIMPLE, keys))
          .toList();
      report
          .section(Identifiers.label(keys) + ", " + Message.SIMPLE.label() + ", unthrottled")
          .table(closedLoop(scenarios, scenario -> scenario.connections().label()));
    }
    report
        .section("Descriptors and verdicts, " + Settings.MULTIPLEXED.label() + ", unthrottled")
        .table(closedLoop(settings.messages(), Scenario::messageLabel)
            .column("OVER_LIMIT", Load::overLimitShare, PERCENT));
    ServerLoad.warnOfSaturation(report, loads.rows());
    report
        .section(settings.heaviest().messageLabel() + ", at fixed rates")
        .paragraph(
            "Requests are due at fractions of Tidegate's maximum rate, whether or not answers have arrived, over %s."
                    .formatted(Settings.MULTIPLEXED.label())
                + " Latency counts from when a request is due; send delay is the part until it is sent.")
        .table(openLoop());
    return report.targets(targets()).losses(losses());
  }

  private Table<Load> closedLoop(List<Scenario> scenarios, Function<Scenario, String> label) {
    return table(scenarios, label)
        .column("of the constant's", timesConstant(Load::perSecond), RATIO)
        .column("server CPU, µs each", Load::cpuMicros, FIGURE)
        .column("per CPU second, of the constant's", timesConstant(Load::perCpuSecond), RATIO)
        .column("latency p50, µs", load -> load.outcome.micros().p50(), FIGURE)
        .column("p99, µs", load -> load.outcome.micros().p99(), FIGURE)
        .column("server, % of a core", Load::serverPercent, FIGURE)
        .column("load, % of a core", Load::loadPercent, FIGURE);
  }

  private Table<Load> openLoop() {
    return table(settings.openLoops(), scenario -> scenario.percent() + " %")
        .column("latency p50, µs", load -> load.outcome.micros().p50(), FIGURE)
        .column("p99, µs", load -> load.outcome.micros().p99(), FIGURE)
        .column("p99.9, µs", load -> load.outcome.micros().p999(), FIGURE)
        .column("max, µs", load -> load.outcome.micros().max(), FIGURE)
        .column("send delay p99, µs", load -> load.outcome.delayMicros().p99(), FIGURE)
        .column("server CPU, µs each", Load::cpuMicros, FIGURE);
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

  /** A single connection has no target: it leaves the server waiting for requests. */
  List<Target> targets() {
    return settings.closedLoops().stream()
        .filter(scenario -> scenario.connections().count() > 1)
        .map(this::perCpuSecond)
        .toList();
  }

  private Target perCpuSecond(Scenario scenario) {
    Spread times = loads(TIDEGATE, scenario).of(timesConstant(Load::perCpuSecond));
    String text = "%s: at least %.0f %% of the constant's requests per CPU second"
        .formatted(scenario.label(), 100 * TIMES_CONSTANT);
    return new Target(text, times.median() >= TIMES_CONSTANT, RATIO.of(times));
  }

  /** The cost of a decision beyond a constant answer, and where another server does better. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (Scenario scenario : settings.closedLoops()) {
      Rounds<Load> ours = loads(TIDEGATE, scenario);
      Spread times = ours.of(timesConstant(Load::perCpuSecond));
      if (times.median() < 1) {
        losses.add("%s: %s of the constant's requests per CPU second"
            .formatted(scenario.label(), RATIO.of(times)));
      }
      others()
          .forEach(other -> new Comparison<>(TIDEGATE, ours, other, loads(other, scenario), losses)
              .high(scenario.label() + ", requests/s", Load::perSecond, MANY)
              .low(scenario.label() + ", server CPU in µs", Load::cpuMicros, FIGURE));
    }
    return losses;
  }
}
