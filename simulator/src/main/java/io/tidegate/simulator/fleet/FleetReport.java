package io.tidegate.simulator.fleet;

import io.tidegate.report.Format;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The report of several fleets. Loads are those of the whole fleet. */
record FleetReport(Machine machine, boolean quick, List<FleetResult> results) {

  /** Estimate: workspace, namespace, identifier and region of the traffic, numbers, and framing. */
  private static final int BYTES_PER_ROW = 100;

  Report report() {
    Report report = new Report().machine(machine);
    settings(report);
    database(report);
    origins(report);
    memory(report);
    peaks(report);
    agreement(report);
    effort(report);
    return report.targets(
        new FleetTargets(results.stream().map(FleetResult::figures).toList()).targets());
  }

  private Table<FleetResult> table() {
    return Table.of(results).label("", FleetResult::label).field("fleet", FleetResult::label);
  }

  private void settings(Report report) {
    FleetSettings any = results.get(0).settings();
    report.paragraph(
        "Policy %s; %d min measured in virtual time, after one in which the nodes start and one of warm-up; seed %d."
            .formatted(any.policy().label(), any.minutes(), any.seed()));
    if (quick) {
      report.quick("a quarter of the usual series, and one minute.");
    }
    report
        .paragraph(
            "All nodes and regions are simulated, with one in several series. Figures are those of the whole fleet:"
                + " the load per series is multiplied, the load per node (rounds and loss checks) is not.")
        .table(
            "fleets",
            table()
                .field("size", result -> result.settings().size().label())
                .field("sample", result -> result.settings().sample())
                .field("policy", result -> result.settings().policy().label())
                .field("maxSeries", result -> result.settings().maxSeries())
                .field("minutes", result -> result.settings().minutes())
                .field("seed", result -> result.settings().seed())
                .column(
                    "regions",
                    "regions",
                    result -> result.settings().size().regions(),
                    Format.COUNT)
                .column("nodes", "nodes", result -> result.settings().size().nodes(), Format.COUNT)
                .column(
                    "active series",
                    "series",
                    result -> result.settings().size().series(),
                    Format.COUNT)
                .column(
                    "simulated",
                    "simulatedSeries",
                    result -> result.settings().series(),
                    Format.COUNT)
                .column(
                    "requests/s",
                    "requestsPerSecond",
                    result -> result.whole().requests(),
                    Format.MANY)
                .column(
                    "denied",
                    "deniedShare",
                    result -> result.whole().denials() / result.whole().requests(),
                    Format.FINE_PERCENT)
                .field("wrongDenials", result -> result.figures().wrongDenials())
                .field("failedCalls", result -> result.figures().failures()));
  }

  private void database(Report report) {
    report
        .section("The database")
        .paragraph(
            "Rows written by INSERT statements, ± the standard error of the sample; shared series are used in several"
                + " regions. Rows read by pulls, and those among them with counts that the node did not have. A pull is"
                + " two SELECTs. Bytes are estimated as %d a row.".formatted(BYTES_PER_ROW))
        .table(
            "database",
            table()
                .column("INSERTs/s", "insertsPerSecond", whole(Load::pushes), Format.FIGURE)
                .column(
                    "rows written/s", "rowsWrittenPerSecond", whole(Load::rowsWritten), Format.MANY)
                .column(
                    "±",
                    "rowsWrittenError",
                    result -> result.settings().isFull()
                        ? Double.NaN
                        : result.figures().rowsError(),
                    Format.FINE_PERCENT)
                .column(
                    "of shared series",
                    "sharedRowsShare",
                    whole(load -> load.sharedRowsWritten() / load.rowsWritten()),
                    Format.FINE_PERCENT)
                .column(
                    "SELECTs/s", "selectsPerSecond", whole(load -> 2 * load.pulls()), Format.FIGURE)
                .column("rows read/s", "rowsReadPerSecond", whole(Load::rowsRead), Format.MANY)
                .column(
                    "new",
                    "newRowsShare",
                    whole(load -> load.newRows() / load.rowsRead()),
                    Format.FINE_PERCENT)
                .column(
                    "MB read/s",
                    whole(load -> load.rowsRead() * BYTES_PER_ROW / 1e6),
                    Format.FIGURE)
                .column("live rows", "liveRows", whole(Load::liveRows), Format.MANY)
                .column(
                    "rows read/s by each node",
                    result ->
                        result.whole().rowsRead() / result.settings().size().nodes(),
                    Format.MANY));
  }

  private void origins(Report report) {
    Table<FleetResult> table = table();
    originColumns(table, "", "", "commands/s, all regions", Load::origins);
    originColumns(table, "busiest region: ", "busiest", "commands/s", Load::busiest);
    report
        .section("The origins")
        .paragraph(
            "Counts that nodes replay, cells that they read for decisions, and cells that loss checks read; per second."
                + " In Redis a replayed count is three commands, and a read cell one.")
        .table("origins", table);
  }

  private static void originColumns(
      Table<FleetResult> table,
      String headingPrefix,
      String fieldPrefix,
      String commandsHeading,
      Function<Load, OriginLoad> origin) {
    Function<ToDoubleFunction<OriginLoad>, ToDoubleFunction<FleetResult>> of =
        figure -> whole(load -> figure.applyAsDouble(origin.apply(load)));
    table
        .column(
            headingPrefix + "counts/s",
            field(fieldPrefix, "countsPerSecond"),
            of.apply(OriginLoad::writes),
            Format.MANY)
        .column(
            "cells read/s",
            field(fieldPrefix, "cellsReadPerSecond"),
            of.apply(OriginLoad::reads),
            Format.MANY)
        .column(
            "by loss checks",
            field(fieldPrefix, "lossChecksPerSecond"),
            of.apply(OriginLoad::lossChecks),
            Format.MANY)
        .column(
            commandsHeading,
            field(fieldPrefix, "commandsPerSecond"),
            of.apply(OriginLoad::redisCommands),
            Format.MANY);
  }

  private static String field(String prefix, String name) {
    return prefix.isEmpty()
        ? name
        : prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private void memory(Report report) {
    report
        .section("The memory of a node")
        .paragraph(
            "Series that a node receives requests for, and series that it has from other regions only. Bytes are"
                + " measured on a single node, and grow with the regions because a node keeps a count per region."
                + " Evictions remove live series when the maximum is reached.")
        .table(
            "memory",
            table()
                .column("used", "usedSeries", whole(Load::usedSeries), Format.MANY)
                .column("imported", "importedSeries", FleetResult::importedSeries, Format.MANY)
                .column("maximum", result -> result.settings().maxSeries(), Format.COUNT)
                .column(
                    "B per used series",
                    "bytesPerUsedSeries",
                    result -> result.memory().used(),
                    Format.MANY)
                .column(
                    "B per imported series",
                    "bytesPerImportedSeries",
                    result -> result.memory().imported(),
                    Format.MANY)
                .column("MB", result -> result.bytesPerNode() / 1e6, Format.FIGURE)
                .column(
                    "evicted/s by each node",
                    "evictionsPerSecondAndNode",
                    result ->
                        result.whole().evictions() / result.settings().size().nodes(),
                    Format.FIGURE));
  }

  private record Peaks(FleetResult result, String suffix, PeakDistribution peaks) {

    String label() {
      return result.label() + suffix;
    }
  }

  private void peaks(Report report) {
    List<Peaks> rows = results.stream()
        .flatMap(result -> Stream.of(
            new Peaks(result, "", result.figures().peaks()),
            new Peaks(result, ", used in several regions", result.figures().sharedPeaks()),
            new Peaks(
                result,
                ", used in several regions and above its limit",
                result.figures().overloadedPeaks())))
        .toList();
    Table<Peaks> table = Table.of(rows)
        .label("", Peaks::label)
        .field("fleet", row -> row.result.label())
        .field("of", Peaks::label)
        .column("series", "series", row -> row.peaks.series(), Format.COUNT);
    times(table, "p50", "p50", row -> row.peaks.p50());
    times(table, "p90", "p90", row -> row.peaks.p90());
    times(table, "p99", "p99", row -> row.peaks.p99());
    times(table, "p99.9", "p999", row -> row.peaks.p999());
    times(table, "max", "max", row -> row.peaks.max());
    report
        .section("Overshoot")
        .paragraph(
            "The most tokens that were admitted of a series within any 60 s, divided by its limit.")
        .table(
            "peaks",
            table
                .column("over 1.05", "over105", row -> row.peaks.over105(), Format.FINE_PERCENT)
                .column("over 1.10", "over110", row -> row.peaks.over110(), Format.FINE_PERCENT)
                .column("over 1.50", "over150", row -> row.peaks.over150(), Format.FINE_PERCENT));
  }

  /** A multiple with two digits, rounded to the nearest. */
  private static <R> void times(
      Table<R> table, String heading, String field, ToDoubleFunction<R> figure) {
    table
        .field(field, figure::applyAsDouble)
        .text(
            heading, rows -> String.format(Locale.ROOT, "%.2f", figure.applyAsDouble(rows.get(0))));
  }

  /** A figure of all series and of a sample. */
  private record Comparison(String figure, double full, double sample, double error) {}

  /** Compares samples with all series, where a size was simulated both ways. */
  private void agreement(Report report) {
    for (FleetResult full : results) {
      for (FleetResult one : results) {
        if (full.settings().isFull()
            && !one.settings().isFull()
            && full.settings().size().equals(one.settings().size())) {
          agreement(full, one, report);
        }
      }
    }
  }

  private static void agreement(FleetResult full, FleetResult sample, Report report) {
    double error = sample.figures().rowsError();
    List<Comparison> rows = Stream.of(
            comparison("requests/s", full, sample, Load::requests, Double.NaN),
            comparison("rows written/s", full, sample, Load::rowsWritten, error),
            comparison("rows read/s", full, sample, Load::rowsRead, error),
            comparison("live rows", full, sample, Load::liveRows, Double.NaN),
            comparison("INSERTs/s", full, sample, Load::pushes, Double.NaN),
            comparison("pulls/s", full, sample, Load::pulls, Double.NaN),
            comparison(
                "counts replayed/s", full, sample, load -> load.origins().writes(), Double.NaN),
            comparison(
                "cells read for decisions/s",
                full,
                sample,
                load -> load.origins().reads(),
                Double.NaN),
            comparison(
                "cells read by loss checks/s",
                full,
                sample,
                load -> load.origins().lossChecks(),
                Double.NaN),
            comparison("series in a node", full, sample, Load::heldSeries, Double.NaN))
        .toList();
    Table<Comparison> table = Table.of(rows)
        .label("", Comparison::figure)
        .field("fleet", row -> sample.label())
        .field("figure", Comparison::figure)
        .column("all series", "allSeries", Comparison::full, Format.MANY)
        .column("extrapolated from the sample", "extrapolated", Comparison::sample, Format.MANY);
    times(table, "ratio", "ratio", row -> row.sample / row.full);
    report
        .section("Accuracy of a sample: " + full.settings().size().label())
        .paragraph(
            "Figures extrapolated from one in %d series, next to those of all series. The sample has the same mix of"
                    .formatted(sample.settings().sample())
                + " limits, of hot and of shared series; places and times of requests are drawn. Most rows belong to a"
                + " few series that are hot and shared, hence the standard error.")
        .table(
            "agreement",
            table.column(
                "standard error", "standardError", Comparison::error, Format.FINE_PERCENT));
  }

  private static Comparison comparison(
      String name,
      FleetResult full,
      FleetResult sample,
      ToDoubleFunction<Load> figure,
      double error) {
    return new Comparison(
        name, figure.applyAsDouble(full.whole()), figure.applyAsDouble(sample.whole()), error);
  }

  private void effort(Report report) {
    report
        .section("The speed of the simulation")
        .paragraph("Each fleet is simulated by one thread, two at once. Measured windows only.")
        .table(
            "effort",
            table()
                .field("realSeconds", result -> result.figures().effort().realSeconds())
                .field("events", result -> result.figures().effort().events())
                .column(
                    "virtual seconds per second",
                    "virtualSecondsPerSecond",
                    result -> result.figures().effort().speed(),
                    Format.FIGURE)
                .column(
                    "virtual seconds per second of CPU",
                    "virtualSecondsPerCpuSecond",
                    result -> result.figures().effort().speedByCpu(),
                    Format.FIGURE)
                .column(
                    "events per virtual second",
                    "eventsPerVirtualSecond",
                    result -> result.figures().effort().events()
                        / result.figures().effort().virtualSeconds(),
                    Format.MANY));
  }

  private static ToDoubleFunction<FleetResult> whole(ToDoubleFunction<Load> figure) {
    return result -> figure.applyAsDouble(result.whole());
  }
}
