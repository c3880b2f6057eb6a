package io.tidegate.benchmarks;

import io.tidegate.benchmarks.GlobalCeiling.Kind;
import io.tidegate.benchmarks.GlobalFigures.Ceiling;
import io.tidegate.benchmarks.GlobalFigures.DatabaseLoad;
import io.tidegate.report.Spread;
import io.tidegate.report.Words;
import java.util.Comparator;
import java.util.Optional;

/** Where a database becomes the limit of fleets with the default policy. */
record GlobalLimits(GlobalSettings settings, GlobalFigures figures) {

  /** The most that was carried, but for a tenth. */
  Optional<DatabaseLoad> mostCarried() {
    return figures.databaseLoads().stream()
        .filter(DatabaseLoad::isCarried)
        .max(Comparator.comparing(DatabaseLoad::times));
  }

  /** The least that was not. */
  Optional<DatabaseLoad> firstTooMuch() {
    return figures.databaseLoads().stream()
        .filter(load -> !load.isCarried())
        .min(Comparator.comparing(DatabaseLoad::times));
  }

  String words() {
    Spread shape =
        figures.load(GlobalPolicy.ADAPTIVE, settings.series(), GlobalUse::databasePercent);
    return "The RFC's shape, adaptive, takes %s %% of a core of MariaDB's. "
            .formatted(Words.figure(shape))
        + most(Kind.INSERT)
        + most(Kind.UPDATE)
        + most(Kind.PULL)
        + mostCarried().map(GlobalLimits::carried).orElse("Not even the shape was carried. ")
        + firstTooMuch().map(GlobalLimits::tooMuch).orElse("More was not tried.");
  }

  private String most(Kind kind) {
    Ceiling highest = figures.highest(kind);
    return "At most there were %s %s a second, with %s %% of a core for MariaDB and %s %% for the callers. "
        .formatted(
            Words.many(highest.rowsPerSecond()),
            kind.label(),
            Words.figure(highest.databasePercent()),
            Words.figure(highest.processPercent()));
  }

  private static String carried(DatabaseLoad load) {
    return "MariaDB carries the calls of %d times the shape, with %s %% of a core and pushes of %s ms at p99. "
        .formatted(
            load.times(),
            Words.figure(load.databasePercent()),
            Words.figure(load.pushMillis().p99()));
  }

  private static String tooMuch(DatabaseLoad load) {
    return "Of %d times the shape it carries %s of %s rows written a second, with %s %% of a core, and %s %% for the callers; what is left of the processors, others had."
        .formatted(
            load.times(),
            Words.many(load.rowsWrittenPerSecond()),
            Words.many((double) load.times() * GlobalDatabaseLoad.ROWS_PER_SECOND),
            Words.figure(load.databasePercent()),
            Words.figure(load.processPercent()));
  }
}
