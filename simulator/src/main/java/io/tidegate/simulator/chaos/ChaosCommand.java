package io.tidegate.simulator.chaos;

import io.tidegate.report.Progress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs many seeds, or one of them for somebody who wants to read what happened. */
@Command(
    name = "chaos",
    description = {
      "Runs random regions, requests and faults in virtual time, a world for each seed, and checks after every event"
          + " what docs/guarantees.md states: nobody knows more than was accepted, nobody is denied whom the truth"
          + " would allow, no count is lost, everybody knows the truth in the end, limits are exceeded by no more than"
          + " counts on their way, every request is answered in time, memory is bounded.",
      "",
      "A seed means the same on every machine. One that fails is told with the command that runs it again.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate simulate chaos --seeds 1000",
      "  tidegate simulate chaos --seed 42       (one, with all that happens)"
    },
    usageHelpAutoWidth = true)
public final class ChaosCommand implements Callable<Integer> {

  private static final int MOST_FAILURES_TOLD = 10;

  @Spec
  private CommandSpec command;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many seeds to run, by default ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--from",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "The first of them, by default ${DEFAULT-VALUE}.")
  private long from;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Run this one only, and tell everything that happens.")
  private @Nullable Long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many seeds to run at once, by default one for each processor.")
  private @Nullable Integer threads;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    if (seeds < 1) {
      throw new ParameterException(command.commandLine(), "--seeds must be at least 1: " + seeds);
    }
    if (from > Long.MAX_VALUE - seeds) {
      throw new ParameterException(
          command.commandLine(), "--from must leave room for " + seeds + " seeds: " + from);
    }
    if (threads != null && threads < 1) {
      throw new ParameterException(
          command.commandLine(), "--threads must be at least 1: " + threads);
    }
    PrintWriter out = command.commandLine().getOut();
    return seed != null ? readOne(seed, out) : runAll(out);
  }

  private static int readOne(long seed, PrintWriter out) {
    ChaosRun.Result result = ChaosRun.of(seed, out::println);
    out.printf("seed %d, trace %s%n", seed, result.hash());
    out.flush();
    return result.violation() == null ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private int runAll(PrintWriter out) throws InterruptedException, ExecutionException {
    int atOnce = threads != null ? threads : Runtime.getRuntime().availableProcessors();
    ExecutorService executor = Executors.newFixedThreadPool(atOnce);
    try {
      List<Future<ChaosRun.Result>> runs = new ArrayList<>();
      for (long each = from; each < from + seeds; each++) {
        long one = each;
        runs.add(executor.submit(() -> ChaosRun.of(one, null)));
      }
      Progress progress = new Progress(System.err, seeds, System::nanoTime);
      ChaosReport report = new ChaosReport();
      for (Future<ChaosRun.Result> run : runs) {
        progress.next("seeds");
        ChaosRun.Result result = run.get();
        report.add(result);
        if (report.failures().size() >= MOST_FAILURES_TOLD) {
          break;
        }
      }
      progress.end();
      out.print(report.markdown());
      out.flush();
      return report.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    } finally {
      executor.shutdownNow();
    }
  }
}
