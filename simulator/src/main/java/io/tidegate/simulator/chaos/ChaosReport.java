package io.tidegate.simulator.chaos;

import io.tidegate.report.Format;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The summary of many seeds. */
final class ChaosReport {

  private final List<ChaosRun.Result> violations = new ArrayList<>();
  private final Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);
  private long seeds;
  private long answers;
  private long events;
  private double virtualSeconds;
  private long hash;

  void add(ChaosRun.Result result) {
    seeds++;
    answers += result.answers();
    events += result.events();
    virtualSeconds += result.virtualSeconds();
    hash = 31 * hash + Long.parseUnsignedLong(result.hash(), 16);
    for (Fault fault : Scenario.of(result.seed()).faults()) {
      faults.merge(fault.kind(), 1, Integer::sum);
    }
    if (result.violation() != null) {
      violations.add(result);
    }
  }

  /** The seeds that violated a guarantee. */
  List<ChaosRun.Result> violations() {
    return violations;
  }

  /**
   * The report.
   *
   * @param requested number of seeds that should have run
   */
  Report report(long requested) {
    String traces = String.format(Locale.ROOT, "%016x", hash);
    Report report = new Report()
        .paragraph(
            "%s of %s seeds: %s virtual hours, %s events, %s answers checked. Hash of all traces: %s."
                .formatted(
                    Format.COUNT.of(seeds),
                    Format.COUNT.of(requested),
                    Format.FIGURE.of(virtualSeconds / 3_600),
                    Format.MANY.of(events),
                    Format.MANY.of(answers),
                    traces))
        .data("seeds", seeds)
        .data("virtualSeconds", virtualSeconds)
        .data("events", events)
        .data("answers", answers)
        .data("traces", traces)
        .section("Injected faults")
        .table(
            "faults",
            Table.of(List.copyOf(faults.entrySet()))
                .label("", fault -> fault.getKey().label())
                .field("fault", fault -> fault.getKey().label())
                .column("times", "times", Map.Entry::getValue, Format.COUNT));
    return report
        .section("Violated guarantees")
        .data("violations", violationTable())
        .paragraph(violationList());
  }

  private Table<ChaosRun.Result> violationTable() {
    return Table.of(violations)
        .field("seed", ChaosRun.Result::seed)
        .field("violation", result -> String.valueOf(result.violation()));
  }

  private String violationList() {
    return violations.isEmpty()
        ? "None: every guarantee held after every event of every seed."
        : violations.stream()
            .map(result -> "- seed %d: %s\n  `./tidegate simulate chaos --seed %d`"
                .formatted(result.seed(), result.violation(), result.seed()))
            .collect(Collectors.joining("\n"));
  }
}
