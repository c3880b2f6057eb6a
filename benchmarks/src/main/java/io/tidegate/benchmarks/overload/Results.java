package io.tidegate.benchmarks.overload;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.OpenLoad;
import io.tidegate.benchmarks.load.OpenLoad.Interval;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.report.Format;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.Comparator;
import java.util.List;

/** All figures of a run, and the report on them. */
record Results(Settings settings, Rounds<Step> steps) {

  /** An overloaded server should go on working as fast as it can. */
  private static final double TIMES_PEAK = 0.95;

  /** A server that answers all connections in turn needs one turn; the rest is for the machine. */
  private static final int TURNS = 2;

  /** Beyond this delay of its requests, the generator did not offer the load as described. */
  static final double LATE_MICROS = 10_000;

  /** Beyond this, the closed loop did not find the maximum, and the loads are lower than stated. */
  static final double ABOVE_MAXIMUM = 1.1;

  /**
   * One offered load in one round.
   *
   * @param percent offered load in percent of the maximum
   * @param maximum requests per second of the closed loop in the same round
   * @param serverSeconds CPU time of the server's process
   */
  record Step(
      int percent,
      int round,
      double maximum,
      Interval interval,
      double serverSeconds,
      double residentBytes) {

    private double perSecond(long requests) {
      return requests / interval.seconds();
    }

    double offered() {
      return perSecond(interval.offered());
    }

    double answered() {
      return perSecond(interval.answered());
    }

    /** Answers 503, and connections that the server refused or closed. */
    double refused() {
      return perSecond(interval.unavailable() + interval.closed());
    }

    double timedOut() {
      return perSecond(interval.timedOut());
    }

    double unsent() {
      return perSecond(interval.unsent());
    }

    double timesMaximum() {
      return answered() / maximum;
    }

    /** CPU time of the server per answered request. */
    double cpuMicros() {
      return 1e6 * serverSeconds / interval.answered();
    }

    double p99Millis() {
      return interval.micros().p99() / 1e3;
    }

    private boolean isLate() {
      return interval.delayMicros().p99() > LATE_MICROS;
    }
  }

  Rounds<Step> at(int percent) {
    return steps.where(step -> step.percent == percent);
  }

  /** The maxima of the rounds. */
  private Spread maximum() {
    return at(settings.highestPercent()).of(Step::maximum);
  }

  /** The highest rate that was answered in the round of a step, at whatever load. */
  private double peak(Step step) {
    return steps.rows().stream()
        .filter(other -> other.round == step.round)
        .mapToDouble(Step::answered)
        .max()
        .orElseThrow();
  }

  private Spread peaks() {
    return at(settings.highestPercent()).of(this::peak);
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .data("steps", steps.rows())
        .paragraph("%d rounds; in each %d ms measured after %d ms of warm-up. %s"
            .formatted(
                settings.rounds(),
                settings.loadMillis(),
                settings.warmupMillis(),
                Processors.eventLoops(settings.pinned())));
    if (settings.quick()) {
      report.quick("little time for each figure, and to compile the server.");
    }
    report
        .paragraph("The maximum is %s requests/s, in a closed loop over %d connections. %s"
            .formatted(
                MANY.of(maximum()),
                Settings.CLOSED_CONNECTIONS,
                "Requests have %s and use %s."
                    .formatted(
                        settings.batch() == 1 ? "one limit" : settings.batch() + " limits",
                        Identifiers.label(Settings.KEYS))))
        .paragraph(
            "Figures are median [min..max] of the rounds. Refused are answers 503 and closed connections; timed out"
                + " are requests without an answer after %d ms; not sent are those that found all %s connections busy."
                    .formatted(OpenLoad.TIMEOUT_MILLIS, COUNT.of(settings.connections()))
                + " Latency is that of answers 2xx, from when a request was due. CPU is that of the server per answer"
                + " 2xx. Send delay is how late the generator was.")
        .section("Offered load in percent of the maximum")
        .table(table())
        .paragraph("The highest rate that was answered is %s requests/s. %s"
            .formatted(
                MANY.of(peaks()),
                "It is lower than the maximum if there are more connections than in the closed loop: each request then"
                    + " costs the server more, mostly in the kernel."));
    if (steps.rows().stream().anyMatch(Step::isLate)) {
      report.paragraph(
          "**The load generator was late**: its send delay exceeds %.0f ms in some lines. There it did not offer the"
                  .formatted(LATE_MICROS / 1e3)
              + " stated load, and latency includes its delay. Use more limits per request (`--batch`).");
    }
    if (steps.rows().stream().anyMatch(step -> step.timesMaximum() > ABOVE_MAXIMUM)) {
      report.paragraph(
          "**The maximum is not one**: the server answered more in some lines, so all loads are lower than their"
              + " percentage says, and the targets are not tested. Repeat the run on an idle machine.");
    }
    return report.targets(targets());
  }

  private Table<Step> table() {
    List<Step> sorted =
        steps.rows().stream().sorted(Comparator.comparing(Step::percent)).toList();
    return Table.of(sorted)
        .label("", step -> step.percent + " %")
        .column("offered/s", Step::offered, MANY)
        .column("answered/s", Step::answered, MANY)
        .column("of the maximum", Step::timesMaximum, RATIO)
        .column("refused/s", Step::refused, MANY)
        .column("timed out/s", Step::timedOut, MANY)
        .column("not sent/s", Step::unsent, MANY)
        .column("latency p50, ms", step -> step.interval.micros().p50() / 1e3, Format.SMALL)
        .column("p99, ms", Step::p99Millis, Format.SMALL)
        .column("p99.9, ms", step -> step.interval.micros().p999() / 1e3, Format.SMALL)
        .column("server CPU, µs each", Step::cpuMicros, FIGURE)
        .column("resident, MB", step -> step.residentBytes / 1e6, FIGURE)
        .column("connections", step -> step.interval.connections(), COUNT)
        .column(
            "send delay p99, ms", step -> step.interval.delayMicros().p99() / 1e3, Format.SMALL);
  }

  List<Target> targets() {
    int percent = settings.highestPercent();
    Rounds<Step> highest = at(percent);
    Spread answered = highest.of(step -> step.answered() / peak(step));
    Spread p99 = highest.of(Step::p99Millis);
    double bound = p99Bound();
    return List.of(
        new Target(
            "at %d %%: at least %.0f %% of the highest answered rate is answered"
                .formatted(percent, 100 * TIMES_PEAK),
            answered.median() >= TIMES_PEAK,
            RATIO.of(answered)),
        new Target(
            "at %d %%: p99 of the answers at most %s ms, the time to answer all %s connections twice"
                .formatted(percent, FIGURE.of(bound), COUNT.of(settings.connections())),
            p99.median() <= bound,
            FIGURE.of(p99) + " ms"));
  }

  private double p99Bound() {
    return TURNS * 1e3 * settings.connections() / peaks().median();
  }
}
