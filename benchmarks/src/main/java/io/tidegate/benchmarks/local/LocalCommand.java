package io.tidegate.benchmarks;

import io.tidegate.benchmarks.Forks.BenchmarkFailedException;
import io.tidegate.report.Machine;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Measures decisions made in one process, and prints what came out. */
@Command(
    name = "local",
    description = {
      "Measures decisions made in memory by Tidegate, bucket4j, resilience4j, Guava's RateLimiter and a"
          + " fixed window in a Caffeine cache: time, allocation and memory, with 1 and 2 threads.",
      "",
      "Every figure comes from a JVM of its own, which inherits this one's flags. Competitors are measured"
          + " one after another and compared round by round, for the speed of a shared machine changes."
          + " The result is Markdown, after some twenty minutes. A missed target is told, and is no error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench local --quick",
      "  tidegate bench local --rounds 5 --json figures.json > benchmarks.md"
    },
    usageHelpAutoWidth = true)
final class LocalCommand implements Callable<Integer> {

  @Mixin
  private RunOptions options;

  @Override
  public Integer call() throws IOException {
    options.check();
    LocalSettings settings = options.quick()
        ? LocalSettings.quick(options.rounds())
        : LocalSettings.full(options.rounds());
    Machine machine = Machine.current();
    try {
      LocalFigures figures = new LocalRun(settings, System.err).run();
      System.out.print(new LocalReport(machine, settings, figures).markdown());
      options.export(new LocalExport(machine, settings, figures).content());
      return ExitCode.OK;
    } catch (BenchmarkFailedException e) {
      System.err.println(e.getMessage());
      return ExitCode.SOFTWARE;
    }
  }
}
