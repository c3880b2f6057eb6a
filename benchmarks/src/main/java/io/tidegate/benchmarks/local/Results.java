package io.tidegate.benchmarks.local;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.FIGURE;
import static io.tidegate.report.Format.RATIO;
import static io.tidegate.report.Format.SMALL;

import io.tidegate.benchmarks.local.Settings.Case;
import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Table;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** All figures of a run, and the report on them. */
record Results(
    Settings settings, Rounds<Decision> decisions, Rounds<Batch> batches, List<Memory> memory) {

  /** How many times as fast as bucket4j and resilience4j Tidegate should be. */
  private static final Map<Case, Double> RATIOS = Map.of(
      new Case(Scenario.ZIPF, 1), 2.0,
      new Case(Scenario.ZIPF, 2), 2.0,
      new Case(Scenario.HOT, 1), 1.3);

  private static final int BYTES_PER_SERIES = 120;

  private static final int BYTES_PER_SHARED_SERIES = 220;

  /** Time of a batch, as a multiple of the time of as many single requests. */
  private static final double MAX_BATCH_RATIO = 1.3;

  /** Time of a decision with the console, as a multiple of the time without it. */
  private static final double MAX_CONSOLE_RATIO = 1.03;

  /** Allocation below this comes from the JVM and JMH, not from the benchmark. */
  private static final double NO_BYTES = 0.5;

  /** Time of one thread and allocated memory, per operation. */
  record Cost(double nanos, double bytes) {}

  record Decision(Case measured, Competitor competitor, int round, Cost cost) {}

  record Batch(BatchBenchmark.Kind kind, int size, int round, Cost cost) {}

  /** Heap per stored identifier. */
  record Memory(Competitor competitor, double bytes) {}

  /** The time of a decision as a multiple of Tidegate's in the same round. */
  private ToDoubleFunction<Decision> ratio() {
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
    String times = " x " + settings.iterationMillis() + " ms ";
    report.paragraph(COUNT.of(settings.keys()) + " keys, " + settings.rounds() + " rounds; in each "
        + settings.iterations() + times + "measured after " + settings.warmups() + times
        + "of warm-up.");
    if (settings.quick()) {
      report.quick("fewer keys than the 1,000,000 of the targets, short iterations, and only some"
          + " of the scenarios.");
    }
    report.paragraph(
        "Times are of one thread, in ns per operation: median [min..max] of the rounds. Tidegate reads its clock at"
            + " every decision, as all others do, unless the line says \"time given\" or \"coarse clock\".");
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
        .table(
            Table.of(memory).label("", r -> r.competitor.label).column("B", r -> r.bytes, COUNT));
    return report.targets(targets()).losses(losses());
  }

  private Table<Decision> times(Scenario scenario) {
    List<Decision> rows = sorted(decisions.where(row -> row.measured.scenario() == scenario));
    return costs(rows, r -> r.competitor.label, r -> r.measured.threadsLabel(), Decision::cost);
  }

  private static List<Decision> sorted(Rounds<Decision> decisions) {
    Comparator<Decision> order = Comparator.comparing(Decision::competitor);
    return decisions.rows().stream().sorted(order).toList();
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
    List<Decision> others = sorted(decisions.where(row -> row.competitor != Competitor.TIDEGATE));
    Table<Decision> table = Table.of(others).label("", row -> row.competitor.label);
    for (Case measured : settings.cases()) {
      table.where(
          row -> row.measured.equals(measured),
          columns -> columns.column(measured.label(), ratio(), RATIO));
    }
    return table;
  }

  private String title(Scenario scenario) {
    return (scenario.hasManyKeys() ? COUNT.of(settings.keys()) + " keys, " : "") + scenario.label;
  }

  /** The time of another product as a multiple of Tidegate's. */
  private record Comparison(Case measured, Competitor competitor, Spread ratio) {

    double median() {
      return ratio.median();
    }
  }

  /** Tidegate compared with each other product, in each case that was measured. */
  private List<Comparison> comparisons() {
    List<Comparison> comparisons = new ArrayList<>();
    for (Case measured : settings.cases()) {
      for (Competitor other : Competitor.products()) {
        Rounds<Decision> rows =
            decisions.where(row -> row.measured.equals(measured) && row.competitor == other);
        if (other != Competitor.TIDEGATE && !rows.isEmpty()) {
          comparisons.add(new Comparison(measured, other, rows.of(ratio())));
        }
      }
    }
    return comparisons;
  }

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    List<Competitor> buckets = List.of(Competitor.BUCKET4J, Competitor.RESILIENCE4J);
    for (Comparison each : comparisons()) {
      Double wanted = RATIOS.get(each.measured);
      if (wanted != null && buckets.contains(each.competitor)) {
        String text = "%s: at least %sx as fast as %s"
            .formatted(each.measured.label(), wanted, each.competitor.label);
        targets.add(new Target(text, each.median() >= wanted, RATIO.of(each.ratio)));
      }
    }
    addNeverSlower(Competitor.GUAVA, targets);
    addNeverSlower(Competitor.CAFFEINE, targets);
    addConsole(targets);
    addBatches(targets);
    List<Competitor> gates = List.of(
        Competitor.TIDEGATE, Competitor.TIDEGATE_GIVEN_TIME, Competitor.TIDEGATE_COARSE_CLOCK);
    double allocated = decisions
        .where(row -> gates.contains(row.competitor))
        .of(row -> row.cost.bytes)
        .max();
    targets.add(new Target(
        "0 B per decision through a gate",
        allocated < NO_BYTES,
        SMALL.of(allocated) + " B at most"));
    targets.add(storedBytes(Competitor.TIDEGATE, "series", BYTES_PER_SERIES));
    targets.add(storedBytes(Competitor.TIDEGATE_SHARED, "shared series", BYTES_PER_SHARED_SERIES));
    return targets;
  }

  private Target storedBytes(Competitor variant, String what, int most) {
    double stored = storedBytes(variant);
    return new Target(
        "at most " + most + " B per " + what, stored <= most, COUNT.of(stored) + " B");
  }

  private void addNeverSlower(Competitor competitor, List<Target> targets) {
    comparisons().stream()
        .filter(each -> each.competitor == competitor && each.measured.threads() == 1)
        .min(Comparator.comparingDouble(Comparison::median))
        .map(worst -> new Target(
            "1 thread: never slower than " + competitor.label,
            worst.median() >= 1,
            RATIO.of(worst.ratio) + " at worst, for " + worst.measured.scenario().label))
        .ifPresent(targets::add);
  }

  /** What following the busiest identifiers adds to a decision of the server. */
  private void addConsole(List<Target> targets) {
    ToDoubleFunction<Decision> ratio = decisions.ratioTo(
        decision -> decision.competitor() == Competitor.TIDEGATE_METRICS,
        decision -> List.of(decision.measured(), decision.round()),
        decision -> decision.cost().nanos());
    for (Case measured : settings.cases()) {
      Rounds<Decision> rows = decisions.where(
          row -> row.measured.equals(measured) && row.competitor == Competitor.TIDEGATE_CONSOLE);
      if (!rows.isEmpty() && measured.threads() == 1) {
        Spread spread = rows.of(ratio);
        targets.add(new Target(
            measured.label() + ": the console adds at most 3 % to a decision with metrics",
            spread.median() <= MAX_CONSOLE_RATIO,
            RATIO.of(spread)));
      }
    }
  }

  /** What all-or-nothing adds to as many single requests. */
  private void addBatches(List<Target> targets) {
    ToDoubleFunction<Batch> ratio = batches.ratioTo(
        batch -> batch.kind() == BatchBenchmark.Kind.SINGLES,
        batch -> List.of(batch.size(), batch.round()),
        batch -> batch.cost().nanos());
    batches.rows().stream().map(Batch::size).distinct().sorted().forEach(size -> {
      Spread spread = batches
          .where(row -> row.size == size && row.kind == BatchBenchmark.Kind.ALLOWED)
          .of(ratio);
      targets.add(new Target(
          "a batch of %d takes at most %s times as long as its requests one by one"
              .formatted(size, MAX_BATCH_RATIO),
          spread.median() <= MAX_BATCH_RATIO,
          RATIO.of(spread)));
    });
  }

  private double storedBytes(Competitor variant) {
    return new Rounds<>(memory).first(row -> row.competitor == variant).bytes;
  }

  /** Where another product was faster, the greatest loss first, or smaller. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    comparisons().stream()
        .filter(loss -> loss.median() < 1)
        .sorted(Comparator.comparingDouble(Comparison::median))
        .map(loss -> "%s, %s: %s takes %s of Tidegate's time"
            .formatted(
                title(loss.measured.scenario()),
                loss.measured.threadsLabel(),
                loss.competitor.label,
                RATIO.of(loss.ratio)))
        .forEach(losses::add);
    double stored = storedBytes(Competitor.TIDEGATE);
    memory.stream()
        .filter(row -> row.bytes < stored)
        .map(row -> "memory: %s takes %s B per identifier, Tidegate %s B"
            .formatted(row.competitor.label, COUNT.of(row.bytes), COUNT.of(stored)))
        .forEach(losses::add);
    return losses;
  }
}
