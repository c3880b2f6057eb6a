package io.tidegate.simulator.fleet;

import io.tidegate.report.Format;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import io.tidegate.simulator.fleet.FleetFigures.Load;
import io.tidegate.simulator.fleet.FleetFigures.Peaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The report of several fleets, with their targets. Loads are those of the whole fleet. */
record FleetReport(Machine machine, boolean quick, List<FleetFigures> fleets) {

  /** The rate of written rows that the reference design expects for the reference system. */
  private static final int MAX_ROWS = 6_000;

  /** Number of standard errors that a sum exceeds by chance once in several hundred times. */
  private static final double MAX_ERRORS = 3;

  Report report() {
    Report report = new Report().machine(machine);
    addSettings(report);
    addLoad(report);
    addPeaks(report);
    for (FleetFigures sample : fleets) {
      full(sample).ifPresent(full -> addAgreement(full, sample, report));
    }
    report
        .section("The speed of the simulation")
        .paragraph("Each fleet is simulated by one thread, two at once. Measured windows only.")
        .table(table()
            .column("virtual seconds per second", FleetFigures::speed, Format.FIGURE)
            .column("virtual seconds per second of CPU", FleetFigures::speedByCpu, Format.FIGURE));
    return report.data("fleets", fleets).targets(targets());
  }

  private Table<FleetFigures> table() {
    return Table.of(fleets).label("", FleetFigures::label);
  }

  private static ToDoubleFunction<FleetFigures> load(Load load) {
    return fleet -> fleet.load(load);
  }

  private static ToDoubleFunction<FleetFigures> share(Load part, Load of) {
    return fleet -> fleet.load(part) / fleet.load(of);
  }

  private void addSettings(Report report) {
    FleetSettings any = fleets.get(0).settings();
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
        .table(table()
            .column("regions", fleet -> fleet.settings().size().regions(), Format.COUNT)
            .column("nodes", fleet -> fleet.settings().size().nodes(), Format.COUNT)
            .column("active series", fleet -> fleet.settings().size().series(), Format.COUNT)
            .column("simulated", fleet -> fleet.settings().series(), Format.COUNT)
            .column("requests/s", load(Load.REQUESTS), Format.MANY)
            .column("denied", share(Load.DENIALS, Load.REQUESTS), Format.FINE_PERCENT));
  }

  private void addLoad(Report report) {
    report
        .section("The database")
        .paragraph(
            "Rows written by INSERT statements, ± the standard error of the sample; shared series are used in several"
                + " regions. Rows read by pulls: one node of each region reads the changed rows of other regions, and"
                + " every node reads those of its own region once a minute.")
        .table(table()
            .column("INSERTs/s", load(Load.PUSHES), Format.FIGURE)
            .column("rows written/s", load(Load.ROWS_WRITTEN), Format.MANY)
            .where(
                fleet -> !fleet.settings().isFull(),
                samples -> samples.column("±", FleetFigures::rowsError, Format.FINE_PERCENT))
            .column(
                "of shared series",
                share(Load.SHARED_ROWS_WRITTEN, Load.ROWS_WRITTEN),
                Format.FINE_PERCENT)
            .column("SELECTs/s", FleetFigures::selects, Format.FIGURE)
            .column("rows read/s", load(Load.ROWS_READ), Format.MANY)
            .column("live rows", load(Load.LIVE_ROWS), Format.MANY))
        .section("The origins")
        .paragraph(
            "Counts that nodes replay, counts that are stored because other regions or this one have pushed them, cells"
                + " that nodes read for decisions, and cells that loss checks read; per second, in all regions. In Redis"
                + " a replayed or stored count is three commands, and a read cell one.")
        .table(table()
            .column("counts/s", load(Load.COUNTS_REPLAYED), Format.MANY)
            .column("stored/s", load(Load.COUNTS_STORED), Format.MANY)
            .column("cells read/s", load(Load.CELLS_READ), Format.MANY)
            .column("by loss checks", load(Load.CELLS_CHECKED), Format.MANY)
            .column("commands/s", FleetFigures::redisCommands, Format.MANY))
        .section("The memory of a node")
        .paragraph(
            "Series that a node receives requests for, and series that it holds: also those of the window before. Bytes"
                + " are measured on a single node, of series that one region uses, and of series that others use too."
                + " Evictions remove live series when the maximum is reached.")
        .table(table()
            .column("used", load(Load.USED_SERIES), Format.MANY)
            .column("held", load(Load.HELD_SERIES), Format.MANY)
            .column("maximum", fleet -> fleet.settings().maxSeries(), Format.COUNT)
            .column("B per series", fleet -> fleet.memory().used(), Format.MANY)
            .column("B per shared series", fleet -> fleet.memory().shared(), Format.MANY)
            .column("MB at most", fleet -> fleet.bytesPerNode() / 1e6, Format.FIGURE)
            .column(
                "evicted/s by each node",
                fleet -> fleet.load(Load.EVICTIONS) / fleet.settings().size().nodes(),
                Format.FIGURE));
  }

  private record Row(String label, Peaks peaks) {}

  private void addPeaks(Report report) {
    List<Row> rows = new ArrayList<>();
    for (FleetFigures fleet : fleets) {
      rows.add(new Row(fleet.label(), fleet.peaks()));
      rows.add(new Row(fleet.label() + ", used in several regions", fleet.sharedPeaks()));
    }
    report
        .section("Overshoot")
        .paragraph(
            "The most tokens that were admitted of a series within any 60 s, divided by its limit.")
        .table(Table.of(rows)
            .label("", Row::label)
            .column("series", row -> row.peaks.series(), Format.COUNT)
            .column("p50", row -> row.peaks.p50(), Format.NEAREST)
            .column("p90", row -> row.peaks.p90(), Format.NEAREST)
            .column("p99", row -> row.peaks.p99(), Format.NEAREST)
            .column("max", row -> row.peaks.max(), Format.NEAREST)
            .column("over 1.10", row -> row.peaks.over110(), Format.FINE_PERCENT));
  }

  /** Compares a sample with all series, where a size was simulated both ways. */
  private static void addAgreement(FleetFigures full, FleetFigures sample, Report report) {
    List<Load> loads = new ArrayList<>(List.of(Load.values()));
    loads.removeAll(
        List.of(Load.DENIALS, Load.SHARED_ROWS_WRITTEN, Load.USED_SERIES, Load.EVICTIONS));
    report
        .section("Accuracy of a sample: " + full.settings().size().label())
        .paragraph(
            "Figures extrapolated from one in %d series, next to those of all series. The sample has the same mix of"
                    .formatted(sample.settings().sample())
                + " limits, of hot and of shared series; places and times of requests are drawn. Most rows belong to a"
                + " few series that are hot and shared: the standard error of rows is %s."
                    .formatted(Format.FINE_PERCENT.of(sample.rowsError())))
        .table(Table.of(loads)
            .label("", Load::toString)
            .column("all series", full::load, Format.MANY)
            .column("extrapolated from the sample", sample::load, Format.MANY)
            .column("ratio", load -> sample.load(load) / full.load(load), Format.NEAREST));
  }

  /** Speed is no target, because it depends on the machine. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    fleets.forEach(one -> addTargets(one, targets));
    fleets.forEach(one -> full(one).ifPresent(full -> targets.add(agreement(full, one))));
    return targets;
  }

  /** The figures of all series of a fleet of which another simulation has a sample. */
  private Optional<FleetFigures> full(FleetFigures sample) {
    return fleets.stream()
        .filter(each -> each.settings().isFull()
            && !sample.settings().isFull()
            && each.settings().size().equals(sample.settings().size()))
        .findFirst();
  }

  private static void addTargets(FleetFigures one, List<Target> targets) {
    String label = one.label() + ": ";
    double denials = one.load(Load.DENIALS) / one.settings().sample();
    targets.add(new Target(
        label + "no request is denied that a single counter would allow",
        one.wrongDenials() == 0,
        "%d of %s denials a second".formatted(one.wrongDenials(), Format.MANY.of(denials))));
    String noFailure = label + "no call fails, and no loss of counts is reported";
    targets.add(new Target(noFailure, one.failures() == 0, Format.COUNT.of(one.failures())));
    if (one.settings().policy().equals(SharingPolicy.FLOOR)) {
      return; // the policy of the reference design has to be correct only
    }
    double maxRows = MAX_ROWS * one.settings().size().times();
    double rows = one.load(Load.ROWS_WRITTEN);
    targets.add(new Target(
        "%sat most the %s rows/s that the reference design expects to be written"
            .formatted(label, Format.COUNT.of(maxRows)),
        rows <= maxRows,
        Format.MANY.of(rows) + " rows/s"));
    if (one.settings().size().maxRowsRead() < Double.POSITIVE_INFINITY) {
      double maxRead = one.settings().size().maxRowsRead();
      double read = one.load(Load.ROWS_READ);
      targets.add(new Target(
          "%sat most %s rows/s read".formatted(label, Format.COUNT.of(maxRead)),
          read <= maxRead,
          Format.MANY.of(read) + " rows/s"));
    }
    Peaks shared = one.sharedPeaks();
    targets.add(new Target(
        label
            + "series used in several regions are admitted at most 1.1 times the limit at p99 and 1.3 times in all",
        shared.p99() <= 1.1 && shared.max() <= 1.3,
        Format.NEAREST.of(shared.p99()) + ", at most " + Format.NEAREST.of(shared.max())));
  }

  private static Target agreement(FleetFigures full, FleetFigures sample) {
    double ratio = sample.load(Load.ROWS_WRITTEN) / full.load(Load.ROWS_WRITTEN);
    double errors = Math.abs(ratio - 1) / sample.rowsError();
    return new Target(
        sample.label()
            + " agrees with all series on the rows written, within three standard errors",
        errors <= MAX_ERRORS,
        Format.FIGURE.of(errors) + " standard errors");
  }
}
