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
import java.util.function.Function;
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
        .data("decisions", decisions.rows())
        .data("batches", batches.rows())
        .data("memory", memory);
    String each = "%d x " + settings.iterationMillis() + " ms";
    report.paragraph(
        ("%s keys, %d rounds; in each " + each + " measured after " + each + " of warm-up.")
            .formatted(
                COUNT.of(settings.keys()),
                settings.rounds(),
                settings.iterations(),
                settings.warmups()));
    if (settings.quick()) {
      report.quick("fewer keys than the 1,000,000 of the targets, short iterations, and only some"
          + " of the scenarios.");
    }
    report.paragraph(
        "Times are of one thread, in ns per operation: median [min..max] of the rounds. Tidegate reads its clock at"
            + " every decision unless the line says \"time given\", as all others do.");
    settings.cases().stream()
        .map(Case::scenario)
        .distinct()
        .forEach(scenario -> report.section(title(scenario)).table(times(scenario)));
    report
        .section("Ratios")
        .paragraph(
            "Time as a multiple of Tidegate's in the same round; above 1, Tidegate is faster.")
        .table(ratios());
    report
        .section("Batches, 1 thread")
        .table(costs(batches.rows(), b -> b.kind.label, b -> b.size + " requests", Batch::cost));
    report
        .section("Memory")
        .paragraph("Heap per stored identifier of 24 characters, its string included; %s of them."
            .formatted(COUNT.of(MemoryBenchmark.IDENTIFIERS)))
        .table(Table.of(memory)
            .label("", row -> row.competitor.label)
            .column("B", Memory::bytes, COUNT));
    Targets targets = new Targets(this);
    return report.targets(targets.targets()).losses(targets.losses());
  }

  private Table<Decision> times(Scenario scenario) {
    List<Decision> rows = sorted(decisions.where(row -> row.measured.scenario() == scenario));
    return costs(
        rows, row -> row.competitor.label, row -> row.measured.threadsLabel(), Decision::cost);
  }

  private static List<Decision> sorted(Rounds<Decision> decisions) {
    return decisions.rows().stream()
        .sorted(Comparator.comparing(Decision::competitor))
        .toList();
  }

  /** A table with two columns for each setting. */
  private static <R> Table<R> costs(
      List<R> rows,
      Function<R, String> label,
      Function<R, String> setting,
      Function<R, Cost> cost) {
    Table<R> table = Table.of(rows).label("", label);
    rows.stream()
        .map(setting)
        .distinct()
        .forEach(column -> table.where(
            row -> setting.apply(row).equals(column),
            columns -> columns
                .column(column + ", ns", row -> cost.apply(row).nanos, FIGURE)
                .column(column + ", B", row -> cost.apply(row).bytes, COUNT)));
    return table;
  }

  private Table<Decision> ratios() {
    Table<Decision> table = Table.of(
            sorted(decisions.where(row -> row.competitor != Competitor.TIDEGATE)))
        .label("", row -> row.competitor.label);
    for (Case measured : settings.cases()) {
      table.where(
          row -> row.measured.equals(measured),
          columns -> columns.column(measured.label(), ratio(), RATIO));
    }
    return table;
  }

  String title(Scenario scenario) {
    return scenario.hasManyKeys()
        ? "%s keys, %s".formatted(COUNT.of(settings.keys()), scenario.label)
        : scenario.label;
  }
}
