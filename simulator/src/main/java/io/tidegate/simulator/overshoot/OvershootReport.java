package io.tidegate.simulator.overshoot;

import io.tidegate.report.Format;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The report of a run, with its targets and the trials in which another approach did better. */
record OvershootReport(OvershootSettings settings, TrialResults results) {

  /** One row per doubling of the count, and duplicates of two nodes that push at the same time. */
  private static final double MAX_ROWS_OF_ONE_REGION = 6;

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
        .data("seed", settings.seed());
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
          .section(pattern.label())
          .paragraph(pattern.description())
          .table(pattern.hasFixedLoad() ? wrongDenials(pattern) : overshoot(pattern));
    }
    if (settings.curves()) {
      OvershootSettings.CURVE_LOADS.forEach(load -> addCurves(load, report));
    }
    return report.data("trials", trials()).targets(targets()).losses(losses());
  }

  /** All figures of all trials, for JSON. */
  private Table<Row> trials() {
    return Table.of(results.rows(setup -> true))
        .field("traffic", row -> row.setup().pattern().option())
        .field("load", row -> row.setup().load())
        .field("approach", Row::label)
        .field("result", Row::result);
  }

  private Table<Row> overshoot(TrafficPattern pattern) {
    Table<Row> table = Table.of(results.rows(setup -> setup.pattern() == pattern
            && settings.loads().contains(setup.load())
            && settings.approaches().contains(setup.approach())))
        .label("", Row::label);
    for (double load : settings.loads()) {
      table.where(
          row -> row.setup().load() == load,
          ofLoad -> ofLoad.text(times(load), rows -> worstAndRows(rows.get(0).result())));
    }
    double highest = Collections.max(settings.loads());
    return table
        .where(
            row -> row.setup().load() == highest,
            ofHighest ->
                ofHighest.column("mean worst", of(TrialResult::meanWorst), Format.ROUNDED_UP))
        .text(
            "wrongly denied",
            rows -> Format.COUNT.of(
                rows.stream().mapToLong(row -> row.result().wronglyDenied()).sum()))
        .where(
            row -> row.setup().load() == highest,
            ofHighest -> ofHighest
                .column("rows read", of(result -> result.exchange().rowsRead()), Format.MANY)
                .column(
                    "lag p50, s", of(result -> result.exchange().lagSeconds().p50()), Format.FIGURE)
                .column("p99, s", of(result -> result.exchange().lagSeconds().p99()), Format.FIGURE)
                .column(
                    "never received",
                    of(result -> result.exchange().neverReceived()),
                    Format.PERCENT));
  }

  private static String worstAndRows(TrialResult result) {
    double rows = result.exchange().rowsWritten();
    String worst = Format.ROUNDED_UP.of(result.worst());
    return Double.isNaN(rows) ? worst : worst + " / " + Format.FIGURE.of(rows);
  }

  private Table<Row> wrongDenials(TrafficPattern pattern) {
    return Table.of(results.rows(setup -> setup.pattern() == pattern))
        .label("", Row::label)
        .column("requests", of(TrialResult::requests), Format.COUNT)
        .column("denied", of(TrialResult::denied), Format.COUNT)
        .column("wrongly denied", of(TrialResult::wronglyDenied), Format.COUNT)
        .column(
            "of all", of(each -> each.wronglyDenied() / (double) each.requests()), Format.PERCENT)
        .column("worst", of(TrialResult::worst), Format.ROUNDED_UP)
        .column("rows written", of(each -> each.exchange().rowsWritten()), Format.FIGURE);
  }

  private void addCurves(double load, Report report) {
    List<Row> rows = SharingPolicy.curves().stream()
        .map(policy -> new TrialResults.Case(TrafficPattern.EVEN, load, policy))
        .flatMap(setup -> results.rows(setup::equals).stream())
        .toList();
    report
        .section("Overshoot and rows by interval, %s %s"
            .formatted(TrafficPattern.EVEN.label(), times(load)))
        .table(Table.of(rows)
            .label("", Row::label)
            .column("worst", of(TrialResult::worst), Format.ROUNDED_UP)
            .column("mean worst", of(TrialResult::meanWorst), Format.ROUNDED_UP)
            .column("rows written", of(each -> each.exchange().rowsWritten()), Format.FIGURE)
            .column("rows read", of(each -> each.exchange().rowsRead()), Format.MANY)
            .column("lag p50, s", of(each -> each.exchange().lagSeconds().p50()), Format.FIGURE));
  }

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    // The results of a prototype of the policy, with a margin for chance.
    addOvershoot(2, 1.10, targets);
    addOvershoot(10, 1.35, targets);
    targets.add(noWrongDenials());
    results.find(TrafficPattern.ONE_REGION, 1, SharingPolicy.ADAPTIVE).ifPresent(result -> {
      double rows = result.exchange().rowsWritten();
      targets.add(new Target(
          "adaptive, one region 1x: at most 6 rows written per window",
          rows <= MAX_ROWS_OF_ONE_REGION,
          Format.FIGURE.of(rows)));
    });
    return targets;
  }

  private void addOvershoot(double load, double max, List<Target> targets) {
    String text = "adaptive, %s %s: at most %s times the limit"
        .formatted(TrafficPattern.EVEN.label(), times(load), Format.ROUNDED_UP.of(max));
    results
        .find(TrafficPattern.EVEN, load, SharingPolicy.ADAPTIVE)
        .map(TrialResult::worst)
        .ifPresent(
            worst -> targets.add(new Target(text, worst <= max, Format.ROUNDED_UP.of(worst))));
  }

  private Target noWrongDenials() {
    List<Row> rows = results.rows(setup -> true).stream()
        .filter(OvershootReport::sharesCounts)
        .toList();
    long wrong = rows.stream().mapToLong(row -> row.result().wronglyDenied()).sum();
    long denied = rows.stream().mapToLong(row -> row.result().denied()).sum();
    return new Target(
        "policies that share counts deny no request that one counter for all would allow",
        wrong == 0,
        "%s of %s denials in %d trials"
            .formatted(Format.COUNT.of(wrong), Format.COUNT.of(denied), rows.size()));
  }

  /** Where another approach has less overshoot or writes fewer rows, at the highest load. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    double load = Collections.max(settings.loads());
    for (TrafficPattern pattern : settings.patterns()) {
      if (!pattern.hasFixedLoad()) {
        results
            .find(pattern, load, SharingPolicy.ADAPTIVE)
            .ifPresent(ours -> addLosses(pattern, load, ours, losses));
      }
    }
    return losses;
  }

  private void addLosses(
      TrafficPattern pattern, double load, TrialResult ours, List<String> losses) {
    List<Row> rows = results.rows(setup -> setup.pattern() == pattern
        && setup.load() == load
        && (setup.approach() == SingleCounter.SLIDING_WINDOW
            || settings.policies().contains(setup.approach())));
    String where = pattern.label() + " " + times(load) + ": ";
    String worst = Format.ROUNDED_UP.of(ours.worst());
    Row best = Collections.min(rows, Comparator.comparingDouble(of(TrialResult::worst)));
    if (best.result().worst() < ours.worst() - NEGLIGIBLE) {
      losses.add("%s%s times the limit, %s with %s"
          .formatted(where, worst, Format.ROUNDED_UP.of(best.result().worst()), best.label()));
    }
    ToDoubleFunction<Row> rowsWritten = of(result -> result.exchange().rowsWritten());
    Row fewest = rows.stream()
        .filter(OvershootReport::sharesCounts)
        .min(Comparator.comparingDouble(rowsWritten))
        .orElseThrow();
    if (rowsWritten.applyAsDouble(fewest) < ours.exchange().rowsWritten() * (1 - NEGLIGIBLE)) {
      losses.add("%s%s rows written, %s with %s, for %s times the limit instead of %s"
          .formatted(
              where,
              Format.FIGURE.of(ours.exchange().rowsWritten()),
              Format.FIGURE.of(rowsWritten.applyAsDouble(fewest)),
              fewest.label(),
              Format.ROUNDED_UP.of(fewest.result().worst()),
              worst));
    }
  }

  private static boolean sharesCounts(Row row) {
    return row.setup().approach() instanceof SharingPolicy policy && policy.sharesCounts();
  }

  private static ToDoubleFunction<Row> of(ToDoubleFunction<TrialResult> figure) {
    return row -> figure.applyAsDouble(row.result());
  }

  /** A load as text: 2x, 1.2x. */
  static String times(double load) {
    return (load == Math.rint(load) ? String.valueOf((long) load) : String.valueOf(load)) + "x";
  }
}
