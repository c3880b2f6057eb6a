package io.tidegate.simulator.chaos;

import io.tidegate.report.Format;
import io.tidegate.report.Report;
import io.tidegate.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The summary of many seeds. */
final class ChaosReport {

  private final List<ChaosRun.Result> violations = new ArrayList<>();
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
    String ran = Format.COUNT.of(seeds) + " of " + Format.COUNT.of(requested) + " seeds: ";
    String hours = Format.FIGURE.of(virtualSeconds / 3_600) + " virtual hours, ";
    String checked = Format.MANY.of(events) + " events, " + Format.MANY.of(answers);
    return new Report()
        .paragraph(ran + hours + checked + " answers checked. Hash of all traces: " + traces + ".")
        .data("seeds", seeds)
        .data("virtualSeconds", virtualSeconds)
        .data("events", events)
        .data("answers", answers)
        .data("traces", traces)
        .section("Violated guarantees")
        .data(
            "violations",
            Table.of(violations)
                .field("seed", ChaosRun.Result::seed)
                .field("violation", result -> String.valueOf(result.violation())))
        .paragraph(violationList());
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
