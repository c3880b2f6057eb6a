package io.tidegate.simulator.chaos;

import io.tidegate.report.Markdown;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What many seeds came to. */
final class ChaosReport {

  private final List<ChaosRun.Result> failures = new ArrayList<>();
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
      failures.add(result);
    }
  }

  List<ChaosRun.Result> failures() {
    return failures;
  }

  long seeds() {
    return seeds;
  }

  /**
   * The report.
   *
   * @param wanted how many seeds should have been run
   */
  String markdown(long wanted) {
    Markdown report = new Markdown();
    report.line("%s of %s seeds: %s virtual hours, %s events, %s answers judged. Traces %016x."
        .formatted(
            Words.count(seeds),
            Words.count(wanted),
            Words.figure(virtualSeconds / 3_600),
            Words.many(events),
            Words.many(answers),
            hash));
    report.heading("What went wrong on purpose");
    report.header(List.of("", "times"));
    faults.forEach((kind, times) -> report.row(kind.label(), List.of(Words.count(times))));
    report.heading("What did not hold");
    if (failures.isEmpty()) {
      report.line("Nothing: every guarantee held after every event of every seed.");
    }
    for (ChaosRun.Result failure : failures) {
      report.line("- seed %d: %s".formatted(failure.seed(), failure.violation()));
      report.line("  `./tidegate simulate chaos --seed %d`".formatted(failure.seed()));
    }
    return report.toString();
  }
}
