package io.tidegate.simulator.overshoot;

import io.tidegate.report.Format;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import io.tidegate.simulator.overshoot.TrialResults.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The report of a run, with its targets and the trials in which another approach did better. */
record OvershootReport(OvershootSettings settings, TrialResults results) {

  /** One row per doubling of the count, and duplicates of two nodes that push at the same time. */
  private static final double MAX_ROWS_OF_ONE_REGION = 6.5;

  /** A difference that chance can explain. */
  private static final double NEGLIGIBLE = 0.02;

  Report report() {
    String limit = Format.COUNT.of(settings.limit());
    Report report = new Report()
        .paragraph("%d regions of %d nodes each, one series with a limit of %s per window, seed %d."
            .formatted(settings.regions(), settings.nodes(), limit, settings.seed()))
        .data("regions", settings.regions())
        .data("nodes", settings.nodes())
        .data("limit", settings.limit())
        .data("seed", settings.seed())
        .data("trials", results.results());
    if (settings.quick()) {
      report.quick("fewer nodes, windows and loads; a missed target is no error.");
    }
    report.paragraph(
        "Columns of a load: the most tokens admitted within any window length, divided by the limit, and the rows written"
            + " per window. The other columns are at the highest load: the mean over all windows of the worst figure of"
            + " each, rows read by all nodes per window, time until a node of another region received a token, and the"
            + " fraction of tokens that it never received. Wrongly denied are requests that one counter for all would"
            + " have allowed, at all loads.");
    for (TrafficPattern pattern : settings.patterns()) {
      report
          .section(pattern.label)
          .paragraph(pattern.description)
          .table(pattern.hasFixedLoad() ? wrongDenials(pattern) : overshoot(pattern));
    }
    if (settings.curves()) {
      OvershootSettings.CURVE_LOADS.forEach(load -> addCurves(load, report));
    }
    return report.targets(targets()).losses(losses());
  }

  private Table<Row> overshoot(TrafficPattern pattern) {
    Table<Row> table = table(results.rows(setup -> setup.pattern() == pattern
        && settings.loads().contains(setup.load())
        && settings.approaches().contains(setup.approach())));
    for (double load : settings.loads()) {
      table.where(
          row -> row.setup().load() == load,
          ofLoad -> ofLoad.text(times(load), rows -> worstAndRows(rows.get(0).result())));
    }
    return table
        .column("mean worst", atHighestLoad(TrialResult::meanWorst), Format.ROUNDED_UP)
        .text("wrongly denied", rows -> Format.COUNT.of(sum(rows, TrialResult::wronglyDenied)))
        .column("rows read", atHighestLoad(TrialResult::rowsRead), Format.MANY)
        .column("lag p50, s", atHighestLoad(each -> each.lagSeconds().p50()), Format.FIGURE)
        .column("p99, s", atHighestLoad(each -> each.lagSeconds().p99()), Format.FIGURE)
        .column("never received", atHighestLoad(TrialResult::neverReceived), Format.PERCENT);
  }

  private static String worstAndRows(TrialResult result) {
    double rows = result.rowsWritten();
    String worst = Format.ROUNDED_UP.of(result.worst());
    return Double.isNaN(rows) ? worst : worst + " / " + Format.FIGURE.of(rows);
  }

  private Table<Row> wrongDenials(TrafficPattern pattern) {
    return table(results.rows(setup -> setup.pattern() == pattern))
        .column("requests", of(TrialResult::requests), Format.COUNT)
        .column("denied", of(TrialResult::denied), Format.COUNT)
        .column("wrongly denied", of(TrialResult::wronglyDenied), Format.COUNT)
        .column(
            "of all", of(each -> each.wronglyDenied() / (double) each.requests()), Format.PERCENT)
        .column("worst", of(TrialResult::worst), Format.ROUNDED_UP)
        .column("rows written", of(TrialResult::rowsWritten), Format.FIGURE);
  }

  private void addCurves(double load, Report report) {
    List<Row> rows = SharingPolicy.curves().stream()
        .map(policy -> new Case(TrafficPattern.EVEN, load, policy))
        .flatMap(setup -> results.rows(setup::equals).stream())
        .toList();
    report
        .section("Overshoot and rows by interval, %s %s"
            .formatted(TrafficPattern.EVEN.label, times(load)))
        .table(table(rows)
            .column("worst", of(TrialResult::worst), Format.ROUNDED_UP)
            .column("mean worst", of(TrialResult::meanWorst), Format.ROUNDED_UP)
            .column("rows written", of(TrialResult::rowsWritten), Format.FIGURE)
            .column("rows read", of(TrialResult::rowsRead), Format.MANY)
            .column("lag p50, s", of(each -> each.lagSeconds().p50()), Format.FIGURE));
  }

  private static Table<Row> table(List<Row> rows) {
    return Table.of(rows).label("", Row::label);
  }

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    // The results of a prototype of the policy, with a margin for chance.
    addOvershoot(TrafficPattern.EVEN, 2, 1.10, targets);
    addOvershoot(TrafficPattern.EVEN, 10, 1.10, targets);
    addOvershoot(TrafficPattern.BURST, 10, 2.60, targets);
    addOvershoot(TrafficPattern.ATTACKER, 10, 1.60, targets);
    addOvershoot(TrafficPattern.TEN_SECONDS, 10, 1.45, targets);
    targets.add(noWrongDenials());
    String rows = "adaptive, one region 1x: at most 6.5 rows written per window";
    results
        .find(TrafficPattern.ONE_REGION, 1, SharingPolicy.ADAPTIVE)
        .ifPresent(result -> targets.add(
            Target.atMost(MAX_ROWS_OF_ONE_REGION, rows, result.rowsWritten(), Format.FIGURE)));
    return targets;
  }

  private void addOvershoot(TrafficPattern pattern, double load, double max, List<Target> targets) {
    String text = "adaptive, %s %s: at most %s times the limit"
        .formatted(pattern.label, times(load), Format.ROUNDED_UP.of(max));
    results
        .find(pattern, load, SharingPolicy.ADAPTIVE)
        .ifPresent(
            result -> targets.add(Target.atMost(max, text, result.worst(), Format.ROUNDED_UP)));
  }

  private Target noWrongDenials() {
    List<Row> rows = results.rows(Case::sharesCounts);
    double wrong = sum(rows, TrialResult::wronglyDenied);
    double denied = sum(rows, TrialResult::denied);
    return new Target(
        "policies that share counts deny no request that one counter for all would allow",
        wrong == 0,
        "%s of %s denials in %d trials"
            .formatted(Format.COUNT.of(wrong), Format.COUNT.of(denied), rows.size()));
  }

  /** Where another approach has less overshoot or writes fewer rows, at the highest load. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (TrafficPattern pattern : settings.patterns()) {
      results
          .find(pattern, highestLoad(), SharingPolicy.ADAPTIVE)
          .filter(ours -> !pattern.hasFixedLoad())
          .ifPresent(ours -> addLosses(pattern, ours, losses));
    }
    return losses;
  }

  private void addLosses(TrafficPattern pattern, TrialResult ours, List<String> losses) {
    List<Row> rows = results.rows(setup -> setup.pattern() == pattern
        && setup.load() == highestLoad()
        && (setup.approach() == SingleCounter.SLIDING_WINDOW
            || settings.policies().contains(setup.approach())));
    String where = pattern.label + " " + times(highestLoad());
    String worst = Format.ROUNDED_UP.of(ours.worst());
    Row best = Collections.min(rows, Comparator.comparingDouble(of(TrialResult::worst)));
    if (best.result().worst() < ours.worst() - NEGLIGIBLE) {
      String lower = Format.ROUNDED_UP.of(best.result().worst());
      losses.add("%s: %s times the limit, %s with %s".formatted(where, worst, lower, best.label()));
    }
    Row fewest = rows.stream()
        .filter(row -> row.setup().sharesCounts())
        .min(Comparator.comparingDouble(of(TrialResult::rowsWritten)))
        .orElseThrow();
    if (fewest.result().rowsWritten() < ours.rowsWritten() * (1 - NEGLIGIBLE)) {
      losses.add("%s: %s rows written, %s with %s, for %s times the limit instead of %s"
          .formatted(
              where,
              Format.FIGURE.of(ours.rowsWritten()),
              Format.FIGURE.of(fewest.result().rowsWritten()),
              fewest.label(),
              Format.ROUNDED_UP.of(fewest.result().worst()),
              worst));
    }
  }

  private double highestLoad() {
    return Collections.max(settings.loads());
  }

  private static double sum(List<Row> rows, ToDoubleFunction<TrialResult> figure) {
    return rows.stream().mapToDouble(of(figure)).sum();
  }

  private static ToDoubleFunction<Row> of(ToDoubleFunction<TrialResult> figure) {
    return row -> figure.applyAsDouble(row.result());
  }

  /** NaN, that is not measured, for rows of other loads. */
  private ToDoubleFunction<Row> atHighestLoad(ToDoubleFunction<TrialResult> figure) {
    double load = highestLoad();
    return row -> row.setup().load() == load ? figure.applyAsDouble(row.result()) : Double.NaN;
  }

  /** A load as text: 2x, 1.2x. */
  static String times(double load) {
    return (load == Math.rint(load) ? String.valueOf((long) load) : String.valueOf(load)) + "x";
  }
}
