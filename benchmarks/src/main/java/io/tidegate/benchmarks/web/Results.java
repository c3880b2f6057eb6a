package io.tidegate.benchmarks.web;

import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.load.ServerLoad;
import io.tidegate.report.Comparison;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All figures of a run, and the report on them. */
record Results(Settings settings, Rounds<Load> loads) {

  /** The rest is for the limiter: the rule, the key, the decision and its headers. */
  private static final double TIMES_PLAIN = 0.9;

  /**
   * One application in one round.
   *
   * @param serverSeconds CPU time of the application's process
   */
  record Load(
      Application application, Scenario scenario, int round, Outcome outcome, double serverSeconds)
      implements ServerLoad {

    @Override
    public boolean unthrottled() {
      return true;
    }
  }

  private Rounds<Load> loads(Application application, Scenario scenario) {
    return loads.where(load -> load.application == application && load.scenario.equals(scenario));
  }

  /** A figure as a multiple of the plain application's in the same scenario and round. */
  private ToDoubleFunction<Load> timesPlain(ToDoubleFunction<Load> figure) {
    return loads.ratioTo(
        load -> load.application == Application.PLAIN,
        load -> List.of(load.scenario, load.round),
        figure);
  }

  /** CPU time of a request beyond that of the plain application. */
  private ToDoubleFunction<Load> addedMicros() {
    ToDoubleFunction<Load> times = timesPlain(Load::cpuMicros);
    return load -> load.cpuMicros() * (1 - 1 / times.applyAsDouble(load));
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .data("loads", loads.rows())
        .paragraph("%d rounds; in each %d ms measured after %d ms of warm-up. %s"
            .formatted(
                settings.rounds(), settings.loadMillis(), settings.warmupMillis(), processors()));
    if (settings.quick()) {
      report.quick("little time for each figure, and to compile the applications.");
    }
    report.paragraph(
        "Figures are median [min..max] of the rounds. CPU is the CPU time of the application's process per request;"
            + " added CPU is the part beyond the application without a limiter. Load CPU is that of the one thread"
            + " that sends the requests.");
    for (int keys : Settings.KEYS) {
      report.section(Identifiers.label(keys)).table(table(settings.scenarios(keys)));
    }
    ServerLoad.warnOfSaturation(report, loads.rows());
    return report.targets(targets()).losses(losses());
  }

  private String processors() {
    return settings.pinned()
        ? "The application has one processor, the load has another one."
        : "Application and load share all processors.";
  }

  /** Lines in the order of the scenarios, and for each of them the applications. */
  private Table<Load> table(List<Scenario> scenarios) {
    List<Load> sorted = scenarios.stream()
        .flatMap(scenario -> Arrays.stream(Application.values())
            .flatMap(application -> loads(application, scenario).rows().stream()))
        .toList();
    return Table.of(sorted)
        .label("", load -> load.scenario.connectionsLabel() + ", " + load.application.label)
        .column("requests/s", Load::perSecond, MANY)
        .column("of the plain application's", timesPlain(Load::perSecond), RATIO)
        .column("CPU, µs each", Load::cpuMicros, FIGURE)
        .column("added CPU, µs", addedMicros(), FIGURE)
        .column("per CPU second, of the plain application's", timesPlain(Load::perCpuSecond), RATIO)
        .column("latency p50, µs", load -> load.outcome.micros().p50(), FIGURE)
        .column("p99, µs", load -> load.outcome.micros().p99(), FIGURE)
        .column("application, % of a core", Load::serverPercent, FIGURE)
        .column("load, % of a core", Load::loadPercent, FIGURE);
  }

  List<Target> targets() {
    return settings.scenarios().stream()
        .filter(scenario -> scenario.connections() == settings.mostConnections())
        .map(this::perCpuSecond)
        .toList();
  }

  private Target perCpuSecond(Scenario scenario) {
    Spread times = loads(Application.TIDEGATE, scenario).of(timesPlain(Load::perCpuSecond));
    String text = "%s: at least %.0f %% of the plain application's requests per CPU second"
        .formatted(scenario.label(), 100 * TIMES_PLAIN);
    return new Target(text, times.median() >= TIMES_PLAIN, RATIO.of(times));
  }

  /** The cost of a decision, and where another limiter costs less. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (Scenario scenario : settings.scenarios()) {
      Rounds<Load> ours = loads(Application.TIDEGATE, scenario);
      Spread times = ours.of(timesPlain(Load::perCpuSecond));
      if (times.median() < 1) {
        losses.add("%s: %s of the plain application's requests per CPU second"
            .formatted(scenario.label(), RATIO.of(times)));
      }
      for (Application other : List.of(Application.BUCKET4J, Application.RESILIENCE4J)) {
        if (other.supports(scenario)) {
          new Comparison<>(
                  Application.TIDEGATE.label, ours, other.label, loads(other, scenario), losses)
              .high(scenario.label() + ", requests/s", Load::perSecond, MANY)
              .low(scenario.label() + ", CPU in µs", Load::cpuMicros, FIGURE);
        }
      }
    }
    return losses;
  }
}
