package io.tidegate.benchmarks.global;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.FINE_PERCENT;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.PERCENT;
import static io.tidegate.report.Format.SMALL;

import io.tidegate.benchmarks.global.OvershootTrial.Offer;
import io.tidegate.benchmarks.global.Results.Ceiling;
import io.tidegate.benchmarks.global.Results.DatabaseLoad;
import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.global.Results.Overshoot;
import io.tidegate.benchmarks.global.Results.Tick;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The report on the figures of a run. */
record GlobalReport(Results results) {

  /** Rows per second that the reference design expects to be written and read. */
  static final int MOST_WRITTEN = 6_000;

  static final int MOST_READ = 15_000;

  Report report(Machine machine) {
    Settings settings = results.settings();
    int seconds = settings.windowMillis() / 1000;
    Report report = new Report()
        .machine(machine)
        .data("results", results)
        .paragraph(
            "%d nodes in %d regions; %d windows of %d s measured for each policy, after %d s of warm-up."
                .formatted(Fleet.NODES, Fleet.REGIONS, settings.rounds(), seconds, seconds));
    if (settings.quick()) {
      report.quick(
          "a fifteenth of the series in windows of a fifteenth of the length, for as many requests per second. Policies"
              + " with intervals of 5 or 10 s have too little time, larger fleets and overshoot are omitted, and"
              + " nothing is warm.");
    }
    report.paragraph(
        "All nodes, the load generators and MariaDB share the processors. Figures are median [min..max] of the windows.");
    results.fleets().forEach(times -> addFleet(report, times));
    if (!results.overshoots().isEmpty()) {
      report
          .section("Overshoot of ten regions")
          .paragraph(
              "Admitted tokens as a multiple of a limit of %s per window, in the worst window, when all regions receive a"
                      .formatted(COUNT.of(OvershootTrial.LIMIT))
                  + " multiple of it evenly for %.0f s from the beginning of a window, and the rows written per window."
                      .formatted(OvershootTrial.WINDOWS * seconds)
                  + " Last, a series that receives its limit in one region of four nodes.")
          .table(overshoots());
    }
    report
        .section("Cost of a tick, %s active cells".formatted(COUNT.of(Settings.CELLS)))
        .paragraph(
            "CPU time of one node, without the database driver: to push all changed cells, and to merge as many cells that"
                + " another region changed. The database is a stub that answers at once. Median [min..max] of %d"
                    .formatted(settings.ticks())
                + " ticks.")
        .table(ticks());
    addDatabase(report);
    Targets targets = new Targets(results);
    return report.targets(targets.targets()).losses(targets.losses());
  }

  private void addFleet(Report report, int times) {
    int series = times * results.settings().series();
    String fleet = times == 1 ? "the reference fleet" : times + " times the reference series";
    List<Load> loads = results.loads().where(load -> load.series() == series).rows();
    double due = 1e3 * loads.get(0).requestsPerWindow() / results.settings().windowMillis();
    report
        .section("%s active series, %s".formatted(COUNT.of(series), fleet))
        .paragraph(
            "%s requests per second are due. Written are rows of INSERT statements; unchanged are those that found the"
                    .formatted(MANY.of(due))
                + " same or a higher count. Read are rows of pulls; new are those that raised a count of the node.")
        .table(expect(times, traffic(loads)))
        .paragraph(
            "Latency of calls as seen by the nodes. CPU time is that of ticks that push something, and of pushes and pulls"
                + " of all nodes together, without the database driver.")
        .table(calls(loads))
        .paragraph(
            "Lag is the time from a request that a node admits, and that every policy pushes, until a node of another"
                + " region counts it; each sample has a new series and two random nodes. The table is measured at the"
                + " end, before any cleanup.")
        .table(expect(times, ends(series)));
  }

  /** Adds the load on the database that the reference design expects, with one call in 10 s. */
  private static <R> Table<R> expect(int times, Table<R> table) {
    Map<String, String> cells = new HashMap<>();
    cells.put("INSERTs/s", "3.3");
    cells.put("SELECTs/s", "3.3");
    int leastWritten = times == 10 ? 5_000 : 600 * times; // not in proportion, as stated there
    cells.put("rows written/s", range(leastWritten, MOST_WRITTEN * times));
    cells.put("rows read/s", range(5_000 * times, MOST_READ * times));
    cells.put("lag p99, s", "up to 20"); // one interval until the push, one until the pull
    cells.put("live rows", range(1_500 * times, 4_500 * times));
    return table.reference("the reference design expects", cells);
  }

  private static String range(int least, int most) {
    return COUNT.of(least) + " to " + COUNT.of(most);
  }

  private static Table<Load> traffic(List<Load> loads) {
    return Table.of(loads)
        .label("", load -> load.policy().label())
        .column("requests/s", load -> load.perSecond(load.driven().decisions()), MANY)
        .column("INSERTs/s", load -> load.perSecond(load.stored().inserts()), FIGURE)
        .column("rows written/s", Load::rowsWrittenPerSecond, MANY)
        .column("unchanged", load -> load.stored().shareUnchanged(), PERCENT)
        .column("SELECTs/s", load -> load.perSecond(load.stored().selects()), FIGURE)
        .column("rows read/s", Load::rowsReadPerSecond, MANY)
        .column("new", load -> load.exchanged().shareOfNewRows(), PERCENT)
        .column("MariaDB, % of a core", Load::databasePercent, FIGURE)
        .column("all nodes, % of a core", load -> load.usage().processPercent(), FIGURE);
  }

  private static Table<Load> calls(List<Load> loads) {
    return Table.of(loads)
        .label("", load -> load.policy().label())
        .column("push p50, ms", load -> load.exchanged().pushMillis().p50(), FIGURE)
        .column("push p99, ms", load -> load.exchanged().pushMillis().p99(), FIGURE)
        .column("pull p50, ms", load -> load.exchanged().pullMillis().p50(), FIGURE)
        .column("pull p99, ms", load -> load.exchanged().pullMillis().p99(), FIGURE)
        .column("tick CPU p50, ms", load -> load.exchanged().tickCpuMillis().p50(), SMALL)
        .column("tick CPU p99, ms", load -> load.exchanged().tickCpuMillis().p99(), SMALL)
        .column("push and pull CPU, % of a core", Load::exchangePercent, FIGURE)
        .column("CPU per row, µs", Load::exchangeMicrosPerRow, FIGURE)
        .text("failed calls", rows -> highest(rows, load -> load.exchanged().failures()))
        .text("latest request, ms", rows -> highest(rows, load -> load.driven().latestMillis()));
  }

  private static String highest(List<Load> loads, ToDoubleFunction<Load> figure) {
    return COUNT.of(new Rounds<>(loads).of(figure).max());
  }

  private Table<FleetEnd> ends(int series) {
    return Table.of(results.ends().where(end -> end.series() == series).rows())
        .label("", end -> end.policy().label())
        .column("lag p50, s", end -> end.lagMillis().p50() / 1e3, SMALL)
        .column("lag p99, s", end -> end.lagMillis().p99() / 1e3, SMALL)
        .column("lag max, s", end -> end.lagMillis().max() / 1e3, SMALL)
        .column("samples", FleetEnd::samples, COUNT)
        .column("unknown at the end", FleetEnd::missing, COUNT)
        .column("live rows", end -> end.table().liveRows(), COUNT)
        .column("all rows", end -> end.table().rows(), COUNT)
        .column("MB", end -> end.table().bytes() / 1e6, FIGURE)
        .column("B per row", end -> (double) end.table().bytes() / end.table().rows(), COUNT);
  }

  private Table<Overshoot> overshoots() {
    Table<Overshoot> table =
        Table.of(results.overshoots().rows()).label("", row -> row.policy().label());
    for (Offer offer : Offer.values()) {
      table.where(
          row -> row.offer() == offer,
          columns -> columns
              .column(offer.label(), Overshoot::timesLimit, SMALL)
              .column(offer.label() + ", rows", Overshoot::rowsPerWindow, FIGURE));
    }
    return table;
  }

  private Table<Tick> ticks() {
    return Table.of(results.ticks().rows())
        .label("changed", tick -> FINE_PERCENT.of(tick.changedPerMille() / 1e3))
        .column("push, ms", Tick::pushMillis, SMALL)
        .column("pull, ms", Tick::pullMillis, SMALL)
        .column("both, ms", Tick::millis, SMALL)
        .column("both, µs per changed cell", Tick::microsPerChangedCell, SMALL);
  }

  private void addDatabase(Report report) {
    report
        .section("Where MariaDB becomes the limit")
        .paragraph(
            "Connections that write %d rows per statement, or read %d changed rows, unthrottled, through the code"
                    .formatted(DatabaseClient.BATCH, DatabaseClient.BATCH)
                + " of the nodes.")
        .table(ceilings())
        .paragraph(
            "The calls of a fleet without the fleet: %d connections write %d rows per second and read the changed rows,"
                    .formatted(Fleet.NODES, DatabaseProbe.ROWS_PER_SECOND)
                + " times the given factor; nothing is decided or merged.")
        .table(databaseLoads());
  }

  private Table<Ceiling> ceilings() {
    return Table.of(results.ceilings())
        .label("", row -> row.kind().label() + ", connections: " + row.connections())
        .column("rows/s", Ceiling::rowsPerSecond, MANY)
        .column("calls/s", Ceiling::callsPerSecond, FIGURE)
        .column("MariaDB, % of a core", row -> row.usage().databasePercent(), FIGURE)
        .column("callers, % of a core", row -> row.usage().processPercent(), FIGURE)
        .column(
            "rows per second of MariaDB's CPU",
            row -> 100 * row.rowsPerSecond() / row.usage().databasePercent(),
            MANY);
  }

  private Table<DatabaseLoad> databaseLoads() {
    return Table.of(results.databaseLoads())
        .label("times the reference fleet", load -> COUNT.of(load.times()))
        .column("rows due/s", load -> load.times() * DatabaseProbe.ROWS_PER_SECOND, MANY)
        .column("rows written/s", DatabaseLoad::rowsWrittenPerSecond, MANY)
        .column("rows read/s", DatabaseLoad::rowsReadPerSecond, MANY)
        .column("MariaDB, % of a core", load -> load.usage().databasePercent(), FIGURE)
        .column("callers, % of a core", load -> load.usage().processPercent(), FIGURE)
        .column("push p50, ms", load -> load.pushMillis().p50(), FIGURE)
        .column("push p99, ms", load -> load.pushMillis().p99(), FIGURE)
        .column("pull p50, ms", load -> load.pullMillis().p50(), FIGURE)
        .column("pull p99, ms", load -> load.pullMillis().p99(), FIGURE);
  }
}
