package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalFigures.Lag;
import io.tidegate.benchmarks.GlobalFigures.Load;
import io.tidegate.report.Machine;
import io.tidegate.report.Markdown;
import io.tidegate.report.Words;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What a run has found, in Markdown. */
record GlobalReport(Machine machine, GlobalSettings settings, GlobalFigures figures) {

  String markdown() {
    Markdown markdown = new Markdown();
    setting(markdown);
    shape(settings.series(), GlobalExpectation.SHAPE, "the RFC's shape", markdown);
    for (int times : settings.times()) {
      shape(
          times * settings.series(),
          GlobalExpectation.times(times),
          times + " times the shape",
          markdown);
    }
    GlobalLimitsReport limits = new GlobalLimitsReport(settings, figures);
    limits.spending(markdown);
    limits.ticks(markdown);
    limits.ceiling(markdown);
    GlobalTargets targets = new GlobalTargets(settings, figures);
    markdown.targets(targets.verdicts());
    markdown.losses(targets.whereWeLose());
    return markdown.toString();
  }

  private void setting(Markdown markdown) {
    markdown.machine(machine);
    markdown.line(
        "%d nodes in %d regions; %d windows of %d s measured for each policy, after %d s of warm-up."
            .formatted(
                GlobalFleet.NODES,
                GlobalFleet.REGIONS,
                settings.rounds(),
                settings.windowMillis() / 1000,
                settings.warmupMillis() / 1000));
    markdown.machineBusy(machine);
    if (settings.quick()) {
      markdown.paragraph(
          "**A quick run**, for a first look: a fifteenth of the series in windows of a fifteenth, so that there are as many"
              + " requests a second. Policies that look every 5 or 10 s have no time to show what they do, more than"
              + " the shape and the spending of limits are left out, and nothing is warm.");
    }
    markdown.paragraph(
        "All nodes, those who ask and MariaDB share the processors: what one of them takes, the"
            + " others lack. Figures are median [min..max] of the windows.");
  }

  private void shape(int series, GlobalExpectation expected, String name, Markdown markdown) {
    markdown.heading("%s active series, %s".formatted(Words.count(series), name));
    Load any = figures.last(figures.policies(series).get(0), series);
    markdown.line(
        "%s requests a second are due. Written are rows of INSERT statements; in vain those that found the same count or a"
                .formatted(Words.many(1e3 * any.requestsPerWindow() / settings.windowMillis()))
            + " higher one. Read are rows that pulls brought; news those that a node did not know.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "requests/s",
        "INSERTs/s",
        "rows written/s",
        "in vain",
        "SELECTs/s",
        "rows read/s",
        "news",
        "MariaDB, % of a core",
        "all nodes, % of a core"));
    markdown.row("the RFC expects", expected.traffic());
    for (GlobalPolicy policy : figures.policies(series)) {
      markdown.row(policy.label(), traffic(policy, series));
    }
    exchange(series, markdown);
    lagAndSize(series, expected, markdown);
  }

  private List<String> traffic(GlobalPolicy policy, int series) {
    return List.of(
        many(policy, series, use -> use.perSecond(use.driven().decisions())),
        figure(policy, series, use -> use.perSecond(use.stored().inserts())),
        many(policy, series, GlobalUse::rowsWrittenPerSecond),
        percent(policy, series, GlobalUse::inVainPercent),
        figure(policy, series, use -> use.perSecond(use.stored().selects())),
        many(policy, series, GlobalUse::rowsReadPerSecond),
        percent(policy, series, GlobalUse::newsPercent),
        figure(policy, series, GlobalUse::databasePercent),
        figure(policy, series, GlobalUse::processPercent));
  }

  private void exchange(int series, Markdown markdown) {
    markdown.paragraph(
        "What the exchange takes: calls as the nodes see them, of the last window; CPU outside of the driver, of a"
            + " tick that pushes something and of all nodes together.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "push p50, ms",
        "p99, ms",
        "pull p50, ms",
        "p99, ms",
        "tick CPU p50, ms",
        "p99, ms",
        "exchange CPU, % of a core",
        "CPU per row, µs",
        "failed calls",
        "latest request, ms"));
    for (GlobalPolicy policy : figures.policies(series)) {
      GlobalUse use = figures.last(policy, series).use();
      markdown.row(
          policy.label(),
          List.of(
              Words.figure(use.pushMillis().p50()),
              Words.figure(use.pushMillis().p99()),
              Words.figure(use.pullMillis().p50()),
              Words.figure(use.pullMillis().p99()),
              Words.small(use.tickCpuMillis().p50()),
              Words.small(use.tickCpuMillis().p99()),
              figure(policy, series, GlobalUse::exchangePercent),
              figure(policy, series, GlobalUse::exchangeMicrosPerRow),
              Words.count(
                  (long) figures.load(policy, series, GlobalUse::failures).max()),
              Words.count(
                  (long) figures.load(policy, series, GlobalUse::latestMillis).max())));
    }
  }

  private void lagAndSize(int series, GlobalExpectation expected, Markdown markdown) {
    markdown.paragraph(
        "Lag: from a request that a node accepts, and that every policy finds worth telling, until a node of another"
            + " region counts it; a new series and two nodes at random each time. And what the table held in the"
            + " end, when nothing had been cleaned up.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "lag p50, s",
        "p99, s",
        "longest, s",
        "samples",
        "unknown in the end",
        "live rows",
        "all rows",
        "MB",
        "B per row"));
    markdown.row(
        "the RFC expects",
        List.of("–", GlobalExpectation.LAG, "–", "–", "–", expected.liveRows(), "–", "–", "–"));
    for (GlobalPolicy policy : figures.policies(series)) {
      Lag lag = figures.lag(policy, series);
      MariaDbMeter.Size size = figures.last(policy, series).size();
      markdown.row(
          policy.label(),
          List.of(
              Words.small(lag.millis().p50() / 1e3),
              Words.small(lag.millis().p99() / 1e3),
              Words.small(lag.millis().max() / 1e3),
              Words.count(lag.samples()),
              Words.count(lag.unknown()),
              Words.count(size.liveRows()),
              Words.count(size.rows()),
              Words.figure(size.bytes() / 1e6),
              Words.count(size.rows() == 0 ? 0 : size.bytes() / size.rows())));
    }
  }

  private String figure(GlobalPolicy policy, int series, ToDoubleFunction<GlobalUse> figure) {
    return Words.figure(figures.load(policy, series, figure));
  }

  private String many(GlobalPolicy policy, int series, ToDoubleFunction<GlobalUse> figure) {
    return Words.many(figures.load(policy, series, figure));
  }

  private String percent(GlobalPolicy policy, int series, ToDoubleFunction<GlobalUse> figure) {
    return String.format(
        Locale.ROOT, "%.0f %%", figures.load(policy, series, figure).median());
  }
}
