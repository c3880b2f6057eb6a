package io.tidegate.benchmarks.global;

import static io.tidegate.benchmarks.global.Policy.ADAPTIVE;
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
import io.tidegate.report.Comparison;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The report on the figures of a run, and the targets that judge them. */
record GlobalReport(Results results) {

  /** Rows per second that the reference design expects to be written and read. */
  private static final int MOST_WRITTEN = 6_000;

  private static final int MOST_READ = 15_000;

  private static final double LAG_SECONDS = 2.5;
  private static final double TICK_MILLIS = 5;

  /** CPU time per cell may double when all cells changed, because caches do not help then. */
  private static final double PROPORTIONAL = 2;

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
    settings.fleets().forEach(times -> addFleet(report, times));
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
    report
        .section("Where MariaDB becomes the limit")
        .paragraph(
            "Connections that write %d rows per statement, or read %d changed rows, unthrottled, through the code"
                    .formatted(DatabaseClients.BATCH, DatabaseClients.BATCH)
                + " of the nodes.")
        .table(ceilings())
        .paragraph(
            "The calls of a fleet without the fleet: %d nodes write %d rows per second, times the given factor. One node of"
                    .formatted(Fleet.NODES, DatabaseProbe.ROWS_PER_SECOND)
                + " each of the %d regions reads the changed rows of the others, and each node those of its region once a"
                    .formatted(Fleet.REGIONS)
                + " minute; nothing is decided or merged.")
        .table(databaseLoads());
    return report.targets(targets()).losses(losses());
  }

  private void addFleet(Report report, int times) {
    int series = times * results.settings().series();
    String fleet = times == 1 ? "the reference fleet" : times + " times the reference series";
    List<Load> loads =
        results.loads().stream().filter(load -> load.series() == series).toList();
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
        .label("", load -> load.policy().label)
        .column("requests/s", load -> load.perSecond(load.sent().decisions()), MANY)
        .column("INSERTs/s", load -> load.perSecond(load.stored().inserts()), FIGURE)
        .column("rows written/s", Load::rowsWrittenPerSecond, MANY)
        .column("unchanged", load -> load.stored().shareUnchanged(), PERCENT)
        .column("SELECTs/s", load -> load.perSecond(load.stored().selects()), FIGURE)
        .column("rows read/s", Load::rowsReadPerSecond, MANY)
        .column("new", Load::shareOfNewRows, PERCENT)
        .column("MariaDB, % of a core", load -> load.usage().databasePercent(), FIGURE)
        .column("all nodes, % of a core", load -> load.usage().processPercent(), FIGURE);
  }

  private static Table<Load> calls(List<Load> loads) {
    return Table.of(loads)
        .label("", load -> load.policy().label)
        .column("push p50, ms", load -> load.exchanged().pushMillis().p50(), FIGURE)
        .column("push p99, ms", load -> load.exchanged().pushMillis().p99(), FIGURE)
        .column("pull p50, ms", load -> load.exchanged().pullMillis().p50(), FIGURE)
        .column("pull p99, ms", load -> load.exchanged().pullMillis().p99(), FIGURE)
        .column("tick CPU p50, ms", load -> load.exchanged().tickCpuMillis().p50(), SMALL)
        .column("tick CPU p99, ms", load -> load.exchanged().tickCpuMillis().p99(), SMALL)
        .column("push and pull CPU, % of a core", Load::exchangePercent, FIGURE)
        .column("CPU per row, µs", Load::exchangeMicrosPerRow, FIGURE)
        .text("failed calls", rows -> highest(rows, load -> load.exchanged().failures()))
        .text("latest request, ms", rows -> highest(rows, load -> load.sent().latestMillis()));
  }

  private static String highest(List<Load> loads, ToDoubleFunction<Load> figure) {
    return COUNT.of(new Rounds<>(loads).of(figure).max());
  }

  private Table<FleetEnd> ends(int series) {
    return Table.of(
            results.ends().stream().filter(end -> end.series() == series).toList())
        .label("", end -> end.policy().label)
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
    Table<Overshoot> table = Table.of(results.overshoots()).label("", row -> row.policy().label);
    for (Offer offer : Offer.values()) {
      table.where(
          row -> row.offer() == offer,
          columns -> columns
              .column(offer.label, Overshoot::timesLimit, SMALL)
              .column(offer.label + ", rows", Overshoot::rowsPerWindow, FIGURE));
    }
    return table;
  }

  private Table<Tick> ticks() {
    return Table.of(results.ticks())
        .label("changed", tick -> FINE_PERCENT.of(tick.changedPerMille() / 1e3))
        .column("push, ms", Tick::pushMillis, SMALL)
        .column("pull, ms", Tick::pullMillis, SMALL)
        .column("both, ms", Tick::millis, SMALL)
        .column("both, µs per changed cell", Tick::microsPerChangedCell, SMALL);
  }

  private Table<Ceiling> ceilings() {
    return Table.of(results.ceilings())
        .label("", row -> row.kind().label + ", connections: " + row.connections())
        .column("rows/s", Ceiling::rowsPerSecond, MANY)
        .column("calls/s", Ceiling::callsPerSecond, FIGURE)
        .column("MariaDB, % of a core", row -> row.rows().usage().databasePercent(), FIGURE)
        .column("callers, % of a core", row -> row.rows().usage().processPercent(), FIGURE)
        .column(
            "rows per second of MariaDB's CPU",
            row -> 100 * row.rowsPerSecond() / row.rows().usage().databasePercent(),
            MANY);
  }

  private Table<DatabaseLoad> databaseLoads() {
    return Table.of(results.databaseLoads())
        .label("times the reference fleet", load -> COUNT.of(load.times()))
        .column("rows due/s", load -> load.times() * DatabaseProbe.ROWS_PER_SECOND, MANY)
        .column("rows written/s", load -> load.rows().writtenPerSecond(), MANY)
        .column("rows read/s", load -> load.rows().readPerSecond(), MANY)
        .column("MariaDB, % of a core", load -> load.rows().usage().databasePercent(), FIGURE)
        .column("callers, % of a core", load -> load.rows().usage().processPercent(), FIGURE)
        .column("push p50, ms", load -> load.pushMillis().p50(), FIGURE)
        .column("push p99, ms", load -> load.pushMillis().p99(), FIGURE)
        .column("pull p50, ms", load -> load.pullMillis().p50(), FIGURE)
        .column("pull p99, ms", load -> load.pullMillis().p99(), FIGURE);
  }

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    results.settings().fleets().forEach(times -> addFleet(times, targets));
    if (!results.overshoots().isEmpty()) {
      targets.add(overshoot(Offer.TWICE, 2, 1.06));
      targets.add(overshoot(Offer.TEN_TIMES, 10, 1.3));
    }
    addTicks(targets);
    return targets;
  }

  private void addFleet(int times, List<Target> targets) {
    int series = times * results.settings().series();
    String name = COUNT.of(series) + " series, adaptive: ";
    Rounds<Load> loads = loads(ADAPTIVE, series);
    int most = times * MOST_WRITTEN;
    Spread written = loads.of(Load::rowsWrittenPerSecond);
    targets.add(new Target(
        name + "at most the %s rows/s that the reference design expects".formatted(COUNT.of(most)),
        written.max() <= most,
        MANY.of(written) + " rows/s"));
    FleetEnd end = new Rounds<>(results.ends())
        .first(row -> row.policy() == ADAPTIVE && row.series() == series);
    double lag = end.lagMillis().p99() / 1e3;
    targets.add(new Target(
        name + "lag p99 at most " + LAG_SECONDS + " s", lag <= LAG_SECONDS, SMALL.of(lag) + " s"));
    double failed = loads.of(load -> load.exchanged().failures()).max();
    targets.add(new Target(
        name + "no push or pull fails", failed == 0, COUNT.of(failed) + " failed in a window"));
  }

  private Rounds<Load> loads(Policy policy, int series) {
    return new Rounds<>(results.loads())
        .where(load -> load.policy() == policy && load.series() == series);
  }

  private Rounds<Overshoot> overshoots(Policy policy, Offer offer) {
    return new Rounds<>(results.overshoots())
        .where(row -> row.policy() == policy && row.offer() == offer);
  }

  private Target overshoot(Offer offer, int times, double most) {
    double admitted = overshoots(ADAPTIVE, offer).of(Overshoot::timesLimit).median();
    return new Target(
        "adaptive: offered %d times a limit, at most %s times is admitted".formatted(times, most),
        admitted <= most,
        SMALL.of(admitted));
  }

  private void addTicks(List<Target> targets) {
    Spread one = tickMillis(10);
    targets.add(new Target(
        "%s active cells, 1 %% changed: at most %.0f ms of CPU to push and pull"
            .formatted(COUNT.of(Settings.CELLS), TICK_MILLIS),
        one.median() <= TICK_MILLIS,
        SMALL.of(one) + " ms"));
    double none = tickMillis(0).median();
    double times = tickMillis(1000).median() / one.median() / 100;
    targets.add(new Target(
        "CPU is proportional to the number of changed cells: almost none for none, and at most twice as much per cell"
            + " when all changed as when 1 % did",
        times <= PROPORTIONAL && none <= one.median() / 10,
        "%s ms for none, %s times as much per cell".formatted(SMALL.of(none), SMALL.of(times))));
  }

  private Spread tickMillis(int perMille) {
    return new Rounds<>(results.ticks())
        .where(tick -> tick.changedPerMille() == perMille)
        .of(Tick::millis);
  }

  /** Where another policy needs less, or overshoots less. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    int series = results.settings().series();
    Rounds<Load> ours = loads(ADAPTIVE, series);
    for (Policy other : Policy.values()) {
      new Comparison<>("adaptive", ours, other.label, loads(other, series), losses)
          .low("rows written/s", Load::rowsWrittenPerSecond, MANY)
          .low("rows read/s", Load::rowsReadPerSecond, MANY)
          .low("MariaDB, % of a core", load -> load.usage().databasePercent(), FIGURE);
      for (Offer offer : results.overshoots().isEmpty() ? new Offer[0] : Offer.values()) {
        Rounds<Overshoot> theirs = overshoots(other, offer);
        new Comparison<>("adaptive", overshoots(ADAPTIVE, offer), other.label, theirs, losses)
            .low("times the limit admitted, " + offer.label, Overshoot::timesLimit, SMALL);
      }
    }
    Spread read = ours.of(Load::rowsReadPerSecond);
    if (read.median() > MOST_READ) {
      losses.add("%s rows are read per second, where the reference design expects at most %s"
          .formatted(MANY.of(read), COUNT.of(MOST_READ)));
    }
    return losses;
  }
}
