package io.tidegate.benchmarks.global;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.MANY;
import static io.tidegate.report.Format.PERCENT;
import static io.tidegate.report.Format.SMALL;

import io.tidegate.benchmarks.global.Results.Ceiling;
import io.tidegate.benchmarks.global.Results.DatabaseLoad;
import io.tidegate.benchmarks.global.Results.FleetEnd;
import io.tidegate.benchmarks.global.Results.Load;
import io.tidegate.benchmarks.global.Results.Spending;
import io.tidegate.benchmarks.global.Results.Tick;
import io.tidegate.benchmarks.global.SpendingTrial.Offer;
import io.tidegate.report.Format;
import io.tidegate.report.Rounds;
import io.tidegate.report.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The tables of the report. */
final class Tables {

  private Tables() {}

  /** A table of the windows of a load, whose figures are taken from their {@link WindowUse}. */
  private record Windows(Table<Load> table) {

    static Windows of(Rounds<Load> loads) {
      return new Windows(Table.of(loads.rows())
          .label("", load -> load.policy().label())
          .field("policy", load -> load.policy().label())
          .field("series", Load::series)
          .field("round", Load::round));
    }

    Windows column(
        String heading, String field, ToDoubleFunction<WindowUse> figure, Format format) {
      table.column(heading, field, load -> figure.applyAsDouble(load.use()), format);
      return this;
    }

    /** A column of the highest figure of all windows. */
    Windows highest(String heading, String field, ToDoubleFunction<WindowUse> figure) {
      ToDoubleFunction<Load> ofLoad = load -> figure.applyAsDouble(load.use());
      table
          .field(field, ofLoad::applyAsDouble)
          .text(heading, windows -> COUNT.of(new Rounds<>(windows).of(ofLoad).max()));
      return this;
    }
  }

  static Table<Load> traffic(Rounds<Load> loads) {
    return Windows.of(loads)
        .column("requests/s", "requestsPerSecond", WindowUse::requestsPerSecond, MANY)
        .column("INSERTs/s", "insertsPerSecond", WindowUse::insertsPerSecond, FIGURE)
        .column("rows written/s", "rowsWrittenPerSecond", WindowUse::rowsWrittenPerSecond, MANY)
        .column("unchanged", "shareUnchanged", WindowUse::shareUnchanged, PERCENT)
        .column("SELECTs/s", "selectsPerSecond", WindowUse::selectsPerSecond, FIGURE)
        .column("rows read/s", "rowsReadPerSecond", WindowUse::rowsReadPerSecond, MANY)
        .column("new", "shareOfNewRows", WindowUse::shareOfNewRows, PERCENT)
        .column("MariaDB, % of a core", "databasePercent", WindowUse::databasePercent, FIGURE)
        .column("all nodes, % of a core", "processPercent", WindowUse::processPercent, FIGURE)
        .table()
        .field("requestsPerWindow", Load::requestsPerWindow)
        .field("seconds", load -> load.use().seconds())
        .field("denials", load -> load.use().driven().denials())
        .field("lockWaits", load -> load.use().stored().lockWaits())
        .field("deadlocks", load -> load.use().stored().deadlocks())
        .field("driverCpuSeconds", load -> load.use().driven().cpuNanos() / 1e9);
  }

  static Table<Load> calls(Rounds<Load> loads) {
    return Windows.of(loads)
        .column(
            "push p50, ms", "pushP50Millis", use -> use.exchanged().pushMillis().p50(), FIGURE)
        .column(
            "push p99, ms", "pushP99Millis", use -> use.exchanged().pushMillis().p99(), FIGURE)
        .column(
            "pull p50, ms", "pullP50Millis", use -> use.exchanged().pullMillis().p50(), FIGURE)
        .column(
            "pull p99, ms", "pullP99Millis", use -> use.exchanged().pullMillis().p99(), FIGURE)
        .column(
            "tick CPU p50, ms",
            "tickCpuP50Millis",
            use -> use.exchanged().tickCpuMillis().p50(),
            SMALL)
        .column(
            "tick CPU p99, ms",
            "tickCpuP99Millis",
            use -> use.exchanged().tickCpuMillis().p99(),
            SMALL)
        .column("push and pull CPU, % of a core", "cpuPercent", WindowUse::exchangePercent, FIGURE)
        .column("CPU per row, µs", "cpuMicrosPerRow", WindowUse::exchangeMicrosPerRow, FIGURE)
        .highest("failed calls", "failedCalls", use -> use.exchanged().failures())
        .highest("latest request, ms", "latestMillis", use -> use.driven().latestMillis())
        .table();
  }

  static Table<FleetEnd> ends(Rounds<FleetEnd> ends) {
    return Table.of(ends.rows())
        .label("", end -> end.policy().label())
        .field("policy", end -> end.policy().label())
        .field("series", FleetEnd::series)
        .column("lag p50, s", "lagP50Seconds", end -> end.lagMillis().p50() / 1e3, SMALL)
        .column("lag p99, s", "lagP99Seconds", end -> end.lagMillis().p99() / 1e3, SMALL)
        .column("lag max, s", "lagMaxSeconds", end -> end.lagMillis().max() / 1e3, SMALL)
        .column("samples", "samples", FleetEnd::samples, COUNT)
        .column("unknown at the end", "missing", FleetEnd::missing, COUNT)
        .column("live rows", "liveRows", end -> end.table().liveRows(), COUNT)
        .column("all rows", "tableRows", end -> end.table().rows(), COUNT)
        .column("MB", "tableMegabytes", end -> end.table().bytes() / 1e6, FIGURE)
        .where(
            end -> end.table().rows() > 0,
            filled -> filled.column(
                "B per row",
                "bytesPerRow",
                end -> (double) end.table().bytes() / end.table().rows(),
                COUNT));
  }

  static Table<Spending> spendings(List<Spending> spendings) {
    Table<Spending> table = Table.of(spendings)
        .label("", spending -> spending.policy().label())
        .field("policy", spending -> spending.policy().label())
        .field("offered", spending -> spending.offer().times())
        .field("regions", spending -> spending.offer().regions());
    for (Offer offer : Offer.values()) {
      table.where(
          spending -> spending.offer() == offer,
          columns -> columns
              .column(offer.label(), "timesLimit", Spending::timesLimit, SMALL)
              .column(offer.label() + ", rows", "rowsPerWindow", Spending::rowsPerWindow, FIGURE));
    }
    return table;
  }

  static Table<Tick> ticks(Rounds<Tick> ticks) {
    return Table.of(ticks.rows().stream()
            .sorted(Comparator.comparing(Tick::changedPerMille))
            .toList())
        .label(
            "changed", tick -> String.format(Locale.ROOT, "%.1f %%", tick.changedPerMille() / 10.0))
        .field("cells", Tick::cells)
        .field("changedPerMille", Tick::changedPerMille)
        .column("push, ms", "pushCpuMillis", Tick::pushMillis, SMALL)
        .column("pull, ms", "pullCpuMillis", Tick::pullMillis, SMALL)
        .column("both, ms", Tick::millis, SMALL)
        .where(
            tick -> tick.changedPerMille() > 0,
            changed -> changed.column(
                "both, µs per changed cell",
                tick -> 1e6 * tick.millis() / tick.cells() / tick.changedPerMille(),
                SMALL));
  }

  static Table<Ceiling> ceilings(List<Ceiling> ceilings) {
    return Table.of(ceilings)
        .label(
            "",
            row -> "%s, %d connection%s"
                .formatted(
                    row.kind().label(), row.connections(), row.connections() == 1 ? "" : "s"))
        .field("kind", row -> row.kind().label())
        .field("connections", Ceiling::connections)
        .column("rows/s", "rowsPerSecond", Ceiling::rowsPerSecond, MANY)
        .column("calls/s", "callsPerSecond", Ceiling::callsPerSecond, FIGURE)
        .column("MariaDB, % of a core", "databasePercent", Ceiling::databasePercent, FIGURE)
        .column("callers, % of a core", "callerPercent", Ceiling::callerPercent, FIGURE)
        .column("rows per second of MariaDB's CPU", Ceiling::rowsPerDatabaseSecond, MANY);
  }

  static Table<DatabaseLoad> databaseLoads(List<DatabaseLoad> loads) {
    return Table.of(loads)
        .label("times the reference fleet", load -> COUNT.of(load.times()))
        .field("times", DatabaseLoad::times)
        .column("rows written/s", "rowsWrittenPerSecond", DatabaseLoad::rowsWrittenPerSecond, MANY)
        .column("rows read/s", "rowsReadPerSecond", DatabaseLoad::rowsReadPerSecond, MANY)
        .column("MariaDB, % of a core", "databasePercent", DatabaseLoad::databasePercent, FIGURE)
        .column("callers, % of a core", "callerPercent", DatabaseLoad::callerPercent, FIGURE)
        .column("push p50, ms", "pushP50Millis", load -> load.pushMillis().p50(), FIGURE)
        .column("push p99, ms", "pushP99Millis", load -> load.pushMillis().p99(), FIGURE)
        .column("pull p50, ms", "pullP50Millis", load -> load.pullMillis().p50(), FIGURE)
        .column("pull p99, ms", "pullP99Millis", load -> load.pullMillis().p99(), FIGURE);
  }
}
