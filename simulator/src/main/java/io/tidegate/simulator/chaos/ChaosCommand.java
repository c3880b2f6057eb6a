package io.tidegate.simulator.chaos;

import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Report;
import io.tidegate.report.ReportOptions;
import io.tidegate.simulator.chaos.ChaosRun.Result;
import io.tidegate.simulator.common.ParallelRuns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs many seeds, or one seed with its trace. */
@Command(
    name = "chaos",
    description = {
      "Run random regions, requests and faults in virtual time, one scenario for each seed, and check the guarantees of"
          + " docs/guarantees.md after every event: counts never exceed the admitted tokens, no request is wrongly"
          + " denied, no count is lost, all nodes converge, overshoot is bounded by the counts in flight, every request"
          + " is answered in time, memory is bounded.",
      "",
      "A seed gives the same run on every machine. A violation is reported with the command that reproduces it, and the"
          + " exit code is 1.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate simulate chaos --seeds 1000",
      "  tidegate simulate chaos --seed 42       (one seed, with its trace)"
    },
    usageHelpAutoWidth = true)
public final class ChaosCommand implements Callable<Integer> {

  private static final int MAX_REPORTED_VIOLATIONS = 10;

  @Mixin
  private final ReportOptions options = new ReportOptions();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Number of seeds to run. Default: 1000, or 100 with --quick.")
  private @Nullable Integer seeds;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Run this seed only, and print its trace.")
  private @Nullable Long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (seed != null && seeds != null) {
      throw options.invalid("--seed runs one seed: omit --seeds");
    }
    int count = seeds != null ? seeds : options.quick() ? 100 : 1_000;
    if (count < 1) {
      throw options.invalid("--seeds must be at least 1: " + count);
    }
    List<Result> violations = violations(seed != null ? List.of(runOne(seed)) : runAll(count));
    return violations.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static Result runOne(long seed) {
    Result result = ChaosRun.of(seed, System.out::println);
    System.out.printf(Locale.ROOT, "seed %d, trace %s%n", seed, result.hash());
    return result;
  }

  private List<Result> runAll(int count) throws IOException, InterruptedException {
    Progress progress = new Progress(System.err, count, System::nanoTime);
    List<Result> results = new ArrayList<>();
    ParallelRuns.run(
        ParallelRuns.processors(),
        LongStream.rangeClosed(1, count).iterator(),
        each -> ChaosRun.of(each, null),
        (each, result) -> {
          progress.next("seed " + each);
          results.add(result);
          return violations(results).size() < MAX_REPORTED_VIOLATIONS;
        });
    progress.end();
    options.write(report(results, count));
    return results;
  }

  private static List<Result> violations(List<Result> results) {
    return results.stream().filter(result -> result.violation() != null).toList();
  }

  /** The report on the seeds that ran, which are fewer than requested if many of them failed. */
  static Report report(List<Result> results, int requested) {
    double seconds = results.stream().mapToDouble(Result::virtualSeconds).sum();
    long events = results.stream().mapToLong(Result::events).sum();
    long answers = results.stream().mapToLong(Result::answers).sum();
    long hash = 0;
    for (Result result : results) {
      hash = 31 * hash + Long.parseUnsignedLong(result.hash(), 16);
    }
    String traces = String.format(Locale.ROOT, "%016x", hash);
    String ran = Format.COUNT.of(results.size()) + " of " + Format.COUNT.of(requested) + " seeds: ";
    String hours = Format.FIGURE.of(seconds / 3_600) + " virtual hours, ";
    String checked = Format.MANY.of(events) + " events, " + Format.MANY.of(answers);
    List<Result> violations = violations(results);
    return new Report()
        .paragraph(ran + hours + checked + " answers checked. Hash of all traces: " + traces + ".")
        .data("seeds", results.size())
        .data("traces", traces)
        .section("Violated guarantees")
        .data("violations", violations)
        .paragraph(
            violations.isEmpty()
                ? "None: every guarantee held after every event of every seed."
                : violations.stream().map(ChaosCommand::text).collect(Collectors.joining("\n")));
  }

  private static String text(Result violated) {
    return "- seed %d: %s\n  `./tidegate simulate chaos --seed %d`"
        .formatted(violated.seed(), violated.violation(), violated.seed());
  }
}
