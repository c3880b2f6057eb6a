package io.tidegate.benchmarks.global;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;

import io.tidegate.report.Machine;
import io.tidegate.report.Percentiles;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All figures of a run, and the report on them. */
record Results(
    Settings settings,
    Rounds<Load> loads,
    Rounds<FleetEnd> ends,
    List<Spending> spendings,
    Rounds<Tick> ticks,
    List<Ceiling> ceilings,
    List<DatabaseLoad> databaseLoads) {

  /** A fleet under a load like production, over one window. */
  record Load(Policy policy, int series, int round, int requestsPerWindow, WindowUse use) {}

  /**
   * The end of a load: the lag of all probes, and the table before any cleanup.
   *
   * @param missing samples that had not arrived in the end; they count with their age
   */
  record FleetEnd(
      Policy policy,
      int series,
      int samples,
      int missing,
      Percentiles lagMillis,
      MariaDbMeter.Size table) {}

  /**
   * A limit that received more requests than it allows, evenly over its regions.
   *
   * @param timesLimit admitted tokens as a multiple of the limit, in the worst window
   * @param rowsPerWindow rows that all nodes together wrote for it
   */
  record Spending(
      Policy policy, SpendingTrial.Offer offer, double timesLimit, double rowsPerWindow) {}

  /**
   * CPU time of one tick.
   *
   * @param changedPerMille share of the active cells that changed since the last tick
   * @param pushMillis CPU time to push them
   * @param pullMillis CPU time to merge as many that another region changed
   */
  record Tick(int cells, int changedPerMille, double pushMillis, double pullMillis) {

    double millis() {
      return pushMillis + pullMillis;
    }
  }

  /** Throughput of connections that write or read as fast as they can. */
  record Ceiling(
      CeilingProbe.Kind kind,
      int connections,
      double rowsPerSecond,
      double callsPerSecond,
      double databasePercent,
      double callerPercent) {

    double rowsPerDatabaseSecond() {
      return 100 * rowsPerSecond / databasePercent;
    }
  }

  /** The calls of a fleet of a multiple of the reference fleet, without the fleet. */
  record DatabaseLoad(
      int times,
      double rowsWrittenPerSecond,
      double rowsReadPerSecond,
      double databasePercent,
      double callerPercent,
      Percentiles pushMillis,
      Percentiles pullMillis) {

    double rowsDuePerSecond() {
      return (double) times * DatabaseProbe.ROWS_PER_SECOND;
    }

    /** Whether at least nine tenths of the due rows were written. */
    boolean isCarried() {
      return rowsWrittenPerSecond >= 0.9 * rowsDuePerSecond();
    }
  }

  Rounds<Load> loads(Policy policy, int series) {
    return loads.where(load -> load.policy == policy && load.series == series);
  }

  FleetEnd end(Policy policy, int series) {
    return ends.first(end -> end.policy == policy && end.series == series);
  }

  Optional<Spending> spending(Policy policy, SpendingTrial.Offer offer) {
    return spendings.stream()
        .filter(spending -> spending.policy == policy && spending.offer == offer)
        .findFirst();
  }

  Rounds<Tick> ticks(int changedPerMille) {
    return ticks.where(tick -> tick.changedPerMille == changedPerMille);
  }

  /** The multiples of the reference fleet that were measured with a fleet. */
  List<Integer> shapes() {
    List<Integer> shapes = new ArrayList<>(List.of(1));
    shapes.addAll(settings.times());
    return shapes;
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .paragraph(
            "%d nodes in %d regions; %d windows of %d s measured for each policy, after %d s of warm-up."
                .formatted(
                    Fleet.NODES,
                    Fleet.REGIONS,
                    settings.rounds(),
                    settings.windowMillis() / 1000,
                    settings.warmupMillis() / 1000));
    if (settings.quick()) {
      report.quick(
          "a fifteenth of the series in windows of a fifteenth of the length, for as many requests per second. Policies"
              + " with intervals of 5 or 10 s have too little time, larger fleets and overshoot are omitted, and"
              + " nothing is warm.");
    }
    report.paragraph(
        "All nodes, the load generators and MariaDB share the processors. Figures are median [min..max] of the windows.");
    shapes().forEach(times -> reportShape(report, times));
    if (!spendings.isEmpty()) {
      report
          .section("Overshoot of ten regions")
          .paragraph(
              "Admitted tokens as a multiple of a limit of %s per minute, in the worst minute, when all regions receive a"
                      .formatted(COUNT.of(SpendingTrial.LIMIT))
                  + " multiple of it evenly for %d s from the beginning of a window, and the rows written per window."
                      .formatted(settings.spendMillis() / 1000)
                  + " Last, a series that receives its limit in one region of four nodes.")
          .table("spendings", Tables.spendings(spendings));
    }
    report
        .section("Cost of a tick, %s active cells".formatted(COUNT.of(settings.cells())))
        .paragraph(
            "CPU time of one node, without the database driver: to push all changed cells, and to merge as many cells that"
                + " another region changed. The database is a stub that answers at once. Median [min..max] of %d"
                    .formatted(settings.ticks())
                + " ticks.")
        .table("ticks", Tables.ticks(ticks));
    reportLimits(report);
    Targets targets = new Targets(this);
    return report.targets(targets.targets()).losses(targets.losses());
  }

  private void reportShape(Report report, int times) {
    int series = times * settings.series();
    Expectation expected = Expectation.times(times);
    Rounds<Load> measured = loads.where(load -> load.series == series);
    int requests = measured.first(load -> true).requestsPerWindow;
    report
        .section("%s active series, %s"
            .formatted(
                COUNT.of(series),
                times == 1 ? "the reference fleet" : times + " times the reference series"))
        .paragraph(
            "%s requests per second are due. Written are rows of INSERT statements; unchanged are those that found the"
                    .formatted(MANY.of(1e3 * requests / settings.windowMillis()))
                + " same or a higher count. Read are rows of pulls; new are those that raised a count of the node.")
        .table("loads", Tables.traffic(measured).reference(Expectation.LABEL, expected.cells()))
        .paragraph(
            "Latency of calls as seen by the nodes. CPU time is that of ticks that push something, and of pushes and pulls"
                + " of all nodes together, without the database driver.")
        .table("calls", Tables.calls(measured))
        .paragraph(
            "Lag is the time from a request that a node admits, and that every policy pushes, until a node of another"
                + " region counts it; each sample has a new series and two random nodes. The table is measured at the"
                + " end, before any cleanup.")
        .table(
            "ends",
            Tables.ends(ends.where(end -> end.series == series))
                .reference(Expectation.LABEL, expected.cells()));
  }

  private void reportLimits(Report report) {
    report
        .section("Where MariaDB becomes the limit")
        .paragraph(
            "Connections that write %d rows per statement, or read %d changed rows, unthrottled, through the code"
                    .formatted(DatabaseClient.ROWS, DatabaseClient.ROWS)
                + " of the nodes.")
        .table("ceilings", Tables.ceilings(ceilings))
        .paragraph(
            "The calls of a fleet without the fleet: %d connections write %d rows per second and read the changed rows,"
                    .formatted(Fleet.NODES, DatabaseProbe.ROWS_PER_SECOND)
                + " times the given factor; nothing is decided or merged.")
        .table("databaseLoads", Tables.databaseLoads(databaseLoads))
        .paragraph(carried() + " " + notCarried());
  }

  private String carried() {
    return databaseLoads.stream()
        .filter(DatabaseLoad::isCarried)
        .max(Comparator.comparing(DatabaseLoad::times))
        .map(load ->
            "MariaDB carries the calls of %d times the reference fleet, with %s %% of a core and a push p99 of %s ms."
                .formatted(
                    load.times, FIGURE.of(load.databasePercent), FIGURE.of(load.pushMillis.p99())))
        .orElse("MariaDB does not carry the calls of the reference fleet.");
  }

  private String notCarried() {
    return databaseLoads.stream()
        .filter(load -> !load.isCarried())
        .min(Comparator.comparing(DatabaseLoad::times))
        .map(load ->
            "At %d times it writes %s of %s rows per second, with %s %% of a core, and %s %% for the callers."
                .formatted(
                    load.times,
                    MANY.of(load.rowsWrittenPerSecond),
                    MANY.of(load.rowsDuePerSecond()),
                    FIGURE.of(load.databasePercent),
                    FIGURE.of(load.callerPercent)))
        .orElse("Higher loads were not measured.");
  }
}
