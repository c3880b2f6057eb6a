package io.tidegate.benchmarks;

import io.tidegate.benchmarks.Forks.BenchmarkFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures decisions made in one process, and prints what came out. */
@Command(
    name = "local",
    description = {
      "Measures decisions made in memory by Tidegate, bucket4j, resilience4j, Guava's RateLimiter and a"
          + " fixed window in a Caffeine cache: time, allocation and memory, with 1 and 2 threads.",
      "",
      "Every figure comes from a JVM of its own, which inherits this one's flags. Competitors are measured"
          + " one after another and compared round by round, for the speed of a shared machine changes."
          + " The result is Markdown. A missed target is told, and is no error.",
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

  private static final int MAX_ROUNDS = 100;

  @Spec
  private CommandSpec command;

  @Option(
      names = "--quick",
      description =
          "Fewer keys, scenarios and rounds and shorter iterations: under two minutes instead of"
              + " some twenty, good for a first look only.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often to measure everything, 1 to " + MAX_ROUNDS + "; by default "
          + LocalSettings.FULL_ROUNDS + ", or " + LocalSettings.QUICK_ROUNDS + " with --quick.")
  private Integer rounds;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write all raw figures to this file, as JSON.")
  private Path json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Override
  public Integer call() throws IOException {
    LocalSettings settings = settings();
    checkJsonFile();
    Machine machine = Machine.current();
    try {
      LocalFigures figures = new LocalRun(settings, System.err).run();
      System.out.print(new LocalReport(machine, settings, figures).markdown());
      if (json != null) {
        Files.writeString(json, Json.of(new LocalExport(machine, settings, figures).content()));
      }
      return ExitCode.OK;
    } catch (BenchmarkFailedException e) {
      System.err.println(e.getMessage());
      return ExitCode.SOFTWARE;
    }
  }

  private LocalSettings settings() {
    if (rounds != null && (rounds < 1 || rounds > MAX_ROUNDS)) {
      throw new ParameterException(
          command.commandLine(), "--rounds must be between 1 and " + MAX_ROUNDS + ": " + rounds);
    }
    return quick
        ? LocalSettings.quick(rounds == null ? LocalSettings.QUICK_ROUNDS : rounds)
        : LocalSettings.full(rounds == null ? LocalSettings.FULL_ROUNDS : rounds);
  }

  /**
   * Before the run: to find after twenty minutes that the figures cannot be written would be a
   * pity.
   */
  private void checkJsonFile() {
    if (json == null) {
      return;
    }
    Path folder = json.toAbsolutePath().getParent();
    boolean writable = Files.exists(json)
        ? Files.isRegularFile(json) && Files.isWritable(json)
        : Files.isDirectory(folder) && Files.isWritable(folder);
    if (!writable) {
      throw new ParameterException(
          command.commandLine(), "--json must be a file that can be written: " + json);
    }
  }
}
