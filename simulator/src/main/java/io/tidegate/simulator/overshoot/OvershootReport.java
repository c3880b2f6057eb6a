package io.tidegate.simulator.overshoot;

import io.tidegate.report.Format;
import io.tidegate.report.Percentiles;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.overshoot.TrialResult.Decisions;
import io.tidegate.simulator.overshoot.TrialResult.Exchange;
import io.tidegate.simulator.overshoot.TrialResults.Row;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The report of a run. */
record OvershootReport(OvershootSettings settings, TrialResults results) {

  Report report() {
    Report report = new Report();
    settings(report);
    settings.patterns().stream()
        .filter(pattern -> !pattern.hasFixedLoad())
        .forEach(pattern -> overshoot(pattern, report));
    settings.patterns().stream()
        .filter(TrafficPattern::hasFixedLoad)
        .forEach(pattern -> wrongDenials(pattern, report));
    if (settings.curves()) {
      OvershootSettings.CURVE_LOADS.forEach(load -> curves(load, report));
    }
    OvershootTargets targets = new OvershootTargets(settings, results);
    return report.data("trials", trials()).targets(targets.targets()).losses(targets.losses());
  }

  private void settings(Report report) {
    report
        .paragraph("%d regions of %d nodes each, one series with a limit of %s per window, seed %d."
            .formatted(
                settings.regions(),
                settings.nodes(),
                Format.COUNT.of(settings.limit()),
                settings.seed()))
        .data("regions", settings.regions())
        .data("nodes", settings.nodes())
        .data("limit", settings.limit())
        .data("seed", settings.seed())
        .data("quick", settings.quick());
    if (settings.quick()) {
      report.quick("fewer nodes, windows and loads; a missed target is no error.");
    }
    report.paragraph(
        "Columns of a load: the most tokens admitted within any window length, divided by the limit, and the rows written"
            + " per window. The other columns are at the highest load: the mean over all windows of the worst figure of"
            + " each, rows read by all nodes per window, time until a node of another region received a token, and the"
            + " fraction of tokens that it never received. Wrongly denied are requests that one counter for all would"
            + " have allowed, at all loads.");
  }

  /** All figures of all trials, for JSON. */
  private Table<Row> trials() {
    return Table.of(results.rows(setup -> true))
        .field("traffic", row -> row.setup().pattern().option())
        .field("load", row -> row.setup().load())
        .field("approach", Row::label)
        .field("requests", row -> decisions(row).requests())
        .field("denied", row -> decisions(row).denied())
        .field("wronglyDenied", row -> decisions(row).wronglyDenied())
        .field("worst", row -> decisions(row).worst())
        .field("meanWorst", row -> decisions(row).meanWorst())
        .where(
            OvershootReport::isShared,
            shared -> shared
                .field("rowsWritten", row -> exchange(row).rowsWritten())
                .field("rowsRead", row -> exchange(row).rowsRead())
                .field("neverReceived", row -> exchange(row).neverReceived())
                .where(
                    row -> exchange(row).lagSeconds() != null,
                    received -> received
                        .field("lagSecondsP50", row -> lag(row, Percentiles::p50))
                        .field("lagSecondsP99", row -> lag(row, Percentiles::p99))
                        .field("lagSecondsMax", row -> lag(row, Percentiles::max))));
  }

  private void overshoot(TrafficPattern pattern, Report report) {
    List<Double> loads = settings.loads(pattern);
    double highest = Collections.max(loads);
    Table<Row> table = Table.of(results.rows(setup -> setup.pattern() == pattern
            && loads.contains(setup.load())
            && settings.approaches().contains(setup.approach())))
        .label("", Row::label);
    for (double load : loads) {
      table.where(
          row -> row.setup().load() == load,
          ofLoad -> ofLoad.text(times(load), rows -> worstAndRows(rows.get(0).result())));
    }
    table
        .where(
            row -> row.setup().load() == highest,
            ofHighest -> ofHighest.column(
                "mean worst", row -> decisions(row).meanWorst(), Format.ROUNDED_UP))
        .text(
            "wrongly denied",
            rows -> Format.COUNT.of(
                rows.stream().mapToLong(row -> decisions(row).wronglyDenied()).sum()))
        .where(
            row -> row.setup().load() == highest && isShared(row),
            shared -> shared
                .column("rows read", row -> exchange(row).rowsRead(), Format.MANY)
                .column("lag p50, s", row -> lag(row, Percentiles::p50), Format.FIGURE)
                .column("p99, s", row -> lag(row, Percentiles::p99), Format.FIGURE)
                .column("never received", row -> exchange(row).neverReceived(), Format.PERCENT));
    report.section(pattern.label()).paragraph(pattern.description()).table(table);
  }

  private static String worstAndRows(TrialResult result) {
    String worst = Format.ROUNDED_UP.of(result.worst());
    return result.exchange() == null
        ? worst
        : worst + " / " + Format.FIGURE.of(result.rowsWritten());
  }

  private void wrongDenials(TrafficPattern pattern, Report report) {
    report
        .section(pattern.label())
        .paragraph(pattern.description())
        .table(Table.of(results.rows(setup -> setup.pattern() == pattern))
            .label("", Row::label)
            .column("requests", row -> decisions(row).requests(), Format.COUNT)
            .column("denied", row -> decisions(row).denied(), Format.COUNT)
            .column("wrongly denied", row -> decisions(row).wronglyDenied(), Format.COUNT)
            .column(
                "of all",
                row -> decisions(row).wronglyDenied() / (double) decisions(row).requests(),
                Format.PERCENT)
            .column("worst", row -> decisions(row).worst(), Format.ROUNDED_UP)
            .where(
                OvershootReport::isShared,
                shared -> shared.column(
                    "rows written", row -> exchange(row).rowsWritten(), Format.FIGURE)));
  }

  private void curves(double load, Report report) {
    List<Row> rows = SharingPolicy.curves().stream()
        .map(policy -> new TrialResults.Case(TrafficPattern.EVEN, load, policy))
        .flatMap(setup -> results.rows(setup::equals).stream())
        .toList();
    report
        .section("Overshoot and rows by interval, %s %s"
            .formatted(TrafficPattern.EVEN.label(), times(load)))
        .table(Table.of(rows)
            .label("", Row::label)
            .column("worst", row -> decisions(row).worst(), Format.ROUNDED_UP)
            .column("mean worst", row -> decisions(row).meanWorst(), Format.ROUNDED_UP)
            .column("rows written", row -> exchange(row).rowsWritten(), Format.FIGURE)
            .column("rows read", row -> exchange(row).rowsRead(), Format.MANY)
            .column("lag p50, s", row -> lag(row, Percentiles::p50), Format.FIGURE));
  }

  private static Decisions decisions(Row row) {
    return row.result().decisions();
  }

  private static boolean isShared(Row row) {
    return row.result().exchange() != null;
  }

  private static Exchange exchange(Row row) {
    return Objects.requireNonNull(row.result().exchange());
  }

  private static double lag(Row row, ToDoubleFunction<Percentiles> figure) {
    Percentiles lag = exchange(row).lagSeconds();
    return lag == null ? Double.NaN : figure.applyAsDouble(lag);
  }

  /** A load as text: 2x, 1.2x. */
  static String times(double load) {
    return (load == Math.rint(load) ? String.valueOf((long) load) : String.valueOf(load)) + "x";
  }
}
