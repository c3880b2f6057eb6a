package io.tidegate.simulator.overshoot;

import io.tidegate.report.Format;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResults.Row;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The report of a run. */
record OvershootReport(OvershootSettings settings, TrialResults results) {

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
    OvershootTargets targets = new OvershootTargets(settings, results);
    return report.data("trials", trials()).targets(targets.targets()).losses(targets.losses());
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

  private static ToDoubleFunction<Row> of(ToDoubleFunction<TrialResult> figure) {
    return row -> figure.applyAsDouble(row.result());
  }

  /** A load as text: 2x, 1.2x. */
  static String times(double load) {
    return (load == Math.rint(load) ? String.valueOf((long) load) : String.valueOf(load)) + "x";
  }
}
