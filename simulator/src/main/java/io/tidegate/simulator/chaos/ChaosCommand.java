package io.tidegate.simulator.chaos;

import io.tidegate.report.Progress;
import io.tidegate.report.Report;
import io.tidegate.report.ReportOptions;
import io.tidegate.simulator.common.ParallelRuns;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
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

  @Option(names = "--from", paramLabel = "SEED", description = "First seed. Default: 1.")
  private @Nullable Long from;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Run this seed only, and print its trace.")
  private @Nullable Long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of seeds to run in parallel. Default: the number of processors.")
  private @Nullable Integer threads;

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (seed != null) {
      require(
          seeds == null && from == null && threads == null,
          "--seed runs one seed: omit --seeds, --from and --threads");
      return runOne(seed);
    }
    int count = seeds != null ? seeds : options.quick() ? 100 : 1_000;
    long first = from == null ? 1 : from;
    int parallel = threads == null ? ParallelRuns.processors() : threads;
    require(count >= 1, "--seeds must be at least 1: " + count);
    require(first <= Long.MAX_VALUE - count, "--from must leave room for all seeds: " + first);
    require(parallel >= 1, "--threads must be at least 1: " + parallel);
    return runAll(first, count, parallel);
  }

  private void require(boolean valid, String message) {
    if (!valid) {
      throw options.invalid(message);
    }
  }

  private static int runOne(long seed) {
    ChaosRun.Result result = ChaosRun.of(seed, System.out::println);
    System.out.printf(Locale.ROOT, "seed %d, trace %s%n", seed, result.hash());
    return result.violation() == null ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private int runAll(long first, int count, int parallel) throws IOException, InterruptedException {
    Progress progress = new Progress(System.err, count, System::nanoTime);
    ChaosReport summary = new ChaosReport();
    ParallelRuns.run(
        parallel,
        LongStream.range(first, first + count).iterator(),
        each -> ChaosRun.of(each, null),
        (each, result) -> {
          progress.next("seed " + each);
          summary.add(result);
          return summary.violations().size() < MAX_REPORTED_VIOLATIONS;
        });
    progress.end();
    Report report = summary.report(count);
    options.write(report);
    return summary.violations().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
