package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalFigures.Ceiling;
import io.tidegate.benchmarks.GlobalFigures.DatabaseLoad;
import io.tidegate.benchmarks.GlobalFigures.Tick;
import io.tidegate.benchmarks.GlobalSpending.Offer;
import io.tidegate.report.Markdown;
import io.tidegate.report.Words;
import java.util.List;
import java.util.Locale;

/** The part of a report on what was measured apart from the load of production. */
record GlobalLimitsReport(GlobalSettings settings, GlobalFigures figures) {

  void spending(Markdown markdown) {
    if (figures.spendings().isEmpty()) {
      return;
    }
    markdown.heading("How much of a limit gets through");
    markdown.line(
        "How many times a limit of %s a minute was accepted within the worst minute, when all regions were offered it"
                .formatted(Words.count(GlobalSpending.LIMIT))
            + " evenly for %d s from the beginning of a window, and by how many rows a window; and the rows of a series that is offered its limit in"
                .formatted(settings.spendMillis() / 1000)
            + " one region of four nodes.");
    markdown.line("");
    markdown.header(List.of("", "offered 2x", "rows", "offered 10x", "rows", "one region", "rows"));
    for (GlobalPolicy policy : GlobalPolicy.values()) {
      markdown.row(
          policy.label(),
          List.of(
              timesLimit(policy, Offer.TWICE),
              rows(policy, Offer.TWICE),
              timesLimit(policy, Offer.TEN_TIMES),
              rows(policy, Offer.TEN_TIMES),
              timesLimit(policy, Offer.ONE_REGION),
              rows(policy, Offer.ONE_REGION)));
    }
  }

  private String timesLimit(GlobalPolicy policy, Offer offer) {
    return figures
        .spending(policy, offer)
        .map(spending -> Words.small(spending.timesLimit()))
        .orElse(Words.UNMEASURED);
  }

  private String rows(GlobalPolicy policy, Offer offer) {
    return figures
        .spending(policy, offer)
        .map(spending -> Words.figure(spending.rowsPerWindow()))
        .orElse(Words.UNMEASURED);
  }

  void ticks(Markdown markdown) {
    markdown.heading("What a tick takes, %s active cells".formatted(Words.count(settings.cells())));
    markdown.line(
        "CPU of one node outside of the driver: to push all that has changed, and to merge as many cells that another"
            + " region has changed. The database answers at once and does nothing. Median [min..max] of %d times."
                .formatted(settings.ticks()));
    markdown.line("");
    markdown.header(
        List.of("changed", "push, ms", "pull, ms", "both, ms", "both, µs per changed cell"));
    for (int perMille : GlobalTicks.CHANGED.stream().sorted().toList()) {
      int changed = (int) ((long) settings.cells() * perMille / 1000);
      markdown.row(
          String.format(Locale.ROOT, "%.1f %%", perMille / 10.0),
          List.of(
              Words.small(figures.tick(perMille, Tick::pushMillis)),
              Words.small(figures.tick(perMille, Tick::pullMillis)),
              Words.small(figures.tick(perMille, Tick::millis)),
              changed == 0
                  ? Words.UNMEASURED
                  : Words.small(figures.tick(perMille, tick -> 1e3 * tick.millis() / changed))));
    }
  }

  void ceiling(Markdown markdown) {
    markdown.heading("Where MariaDB becomes the limit");
    markdown.line(
        "Connections that write %s rows a statement, or read %s changed rows, as fast as they can, through the code"
                .formatted(Words.count(GlobalCeiling.ROWS), Words.count(GlobalCeiling.ROWS))
            + " that nodes use.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "connections",
        "rows/s",
        "calls/s",
        "MariaDB, % of a core",
        "callers, % of a core",
        "rows per second of MariaDB's CPU"));
    for (Ceiling ceiling : figures.ceilings()) {
      markdown.row(
          ceiling.kind().label(),
          List.of(
              Words.count(ceiling.connections()),
              Words.many(ceiling.rowsPerSecond()),
              Words.figure(ceiling.callsPerSecond()),
              Words.figure(ceiling.databasePercent()),
              Words.figure(ceiling.processPercent()),
              Words.many(ceiling.rowsPerDatabaseSecond())));
    }
    databaseLoad(markdown);
    markdown.paragraph(new GlobalLimits(settings, figures).words());
  }

  private void databaseLoad(Markdown markdown) {
    markdown.paragraph(
        "What a fleet asks of MariaDB, without the fleet: %d connections write %d rows and read what has changed, each"
                .formatted(GlobalFleet.NODES, GlobalDatabaseLoad.ROWS_PER_SECOND)
            + " second, so many times; nobody decides or merges anything.");
    markdown.line("");
    markdown.header(List.of(
        "times the shape",
        "rows written/s",
        "rows read/s",
        "MariaDB, % of a core",
        "callers, % of a core",
        "push p50, ms",
        "p99, ms",
        "pull p50, ms",
        "p99, ms"));
    for (DatabaseLoad load : figures.databaseLoads()) {
      markdown.row(
          Words.count(load.times()),
          List.of(
              Words.many(load.rowsWrittenPerSecond()),
              Words.many(load.rowsReadPerSecond()),
              Words.figure(load.databasePercent()),
              Words.figure(load.processPercent()),
              Words.figure(load.pushMillis().p50()),
              Words.figure(load.pushMillis().p99()),
              Words.figure(load.pullMillis().p50()),
              Words.figure(load.pullMillis().p99())));
    }
  }
}
