package io.tidegate.benchmarks.local;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.local.Settings.Case;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Table;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All figures of a run, and the report on them. */
record Results(
    Settings settings, Rounds<Decision> decisions, Rounds<Batch> batches, List<Memory> memory) {

  /** Time of one thread and allocated memory, per operation. */
  record Cost(double nanos, double bytes) {}

  record Decision(Case measured, Competitor competitor, int round, Cost cost) {}

  record Batch(BatchBenchmark.Kind kind, int size, int round, Cost cost) {}

  /** Heap per stored identifier. */
  record Memory(Competitor competitor, double bytes) {}

  /** The time of a decision as a multiple of Tidegate's in the same round. */
  ToDoubleFunction<Decision> ratio() {
    return decisions.ratioTo(
        decision -> decision.competitor() == Competitor.TIDEGATE,
        decision -> List.of(decision.measured(), decision.round()),
        decision -> decision.cost().nanos());
  }

  Report report(Machine machine) {
    Report report = new Report()
        .machine(machine)
        .data("settings", settings)
        .paragraph("%s keys, %d rounds; in each %d x %d ms measured after %d x %d ms of warm-up."
            .formatted(
                COUNT.of(settings.keys()),
                settings.rounds(),
                settings.iterations(),
                settings.iterationMillis(),
                settings.warmups(),
                settings.iterationMillis()));
    if (settings.quick()) {
      report.quick("fewer keys than the 1,000,000 of the targets, short iterations, and only some"
          + " of the scenarios.");
    }
    report.paragraph(
        "Times are of one thread, in ns per operation: median [min..max] of the rounds. Tidegate reads its clock at"
            + " every decision unless the line says \"time given\", as all others do.");
    for (Scenario scenario : Scenario.values()) {
      List<Decision> rows = sorted(decisions.where(row -> row.measured().scenario() == scenario));
      if (!rows.isEmpty()) {
        report.section(title(scenario)).table("decisions", times(rows));
      }
    }
    report
        .section("Ratios")
        .paragraph(
            "Time as a multiple of Tidegate's in the same round; above 1, Tidegate is faster.")
        .table(ratios());
    report.section("Batches, 1 thread").table("batches", batchTimes());
    report
        .section("Memory")
        .paragraph("Heap per stored identifier of 24 characters, its string included; %s of them."
            .formatted(COUNT.of(MemoryProbe.IDENTIFIERS)))
        .table("memory", memoryTable());
    Targets targets = new Targets(this);
    return report.targets(targets.targets()).losses(targets.losses());
  }

  private static List<Decision> sorted(Rounds<Decision> decisions) {
    return decisions.rows().stream()
        .sorted(Comparator.comparing(Decision::competitor))
        .toList();
  }

  private Table<Decision> times(List<Decision> rows) {
    Table<Decision> table = Table.of(rows)
        .label("", decision -> decision.competitor().label())
        .field("scenario", decision -> decision.measured().scenario().label())
        .field("threads", decision -> decision.measured().threads())
        .field("competitor", decision -> decision.competitor().label())
        .field("round", Decision::round)
        .field("ratioToTidegate", ratio()::applyAsDouble);
    rows.stream()
        .map(Decision::measured)
        .distinct()
        .forEach(measured -> table.where(
            decision -> decision.measured().equals(measured),
            columns -> columns
                .column(
                    measured.threadsLabel() + ", ns",
                    "nanosPerOperation",
                    decision -> decision.cost().nanos(),
                    FIGURE)
                .column(
                    measured.threadsLabel() + ", B",
                    "bytesPerOperation",
                    decision -> decision.cost().bytes(),
                    COUNT)));
    return table;
  }

  private Table<Decision> ratios() {
    Table<Decision> table = Table.of(
            sorted(decisions.where(row -> row.competitor() != Competitor.TIDEGATE)))
        .label("", decision -> decision.competitor().label());
    settings
        .cases()
        .forEach(measured -> table.where(
            decision -> decision.measured().equals(measured),
            columns -> columns.column(measured.label(), ratio(), RATIO)));
    return table;
  }

  private Table<Batch> batchTimes() {
    Table<Batch> table = Table.of(batches.rows())
        .label("", batch -> batch.kind().label())
        .field("kind", batch -> batch.kind().label())
        .field("size", Batch::size)
        .field("round", Batch::round);
    settings
        .batchSizes()
        .forEach(size -> table.where(
            batch -> batch.size() == size,
            columns -> columns
                .column(
                    size + " requests, ns",
                    "nanosPerOperation",
                    batch -> batch.cost().nanos(),
                    FIGURE)
                .column(
                    size + " requests, B",
                    "bytesPerOperation",
                    batch -> batch.cost().bytes(),
                    COUNT)));
    return table;
  }

  private Table<Memory> memoryTable() {
    return Table.of(memory)
        .label("", row -> row.competitor().label())
        .field("competitor", row -> row.competitor().label())
        .column("B", "bytesPerIdentifier", Memory::bytes, COUNT);
  }

  String title(Scenario scenario) {
    return scenario.hasManyKeys()
        ? "%s keys, %s".formatted(COUNT.of(settings.keys()), scenario.label())
        : scenario.label();
  }
}
