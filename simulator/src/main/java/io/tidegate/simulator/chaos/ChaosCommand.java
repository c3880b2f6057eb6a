package io.tidegate.simulator.chaos;

import io.tidegate.report.Progress;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
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
      description = "How many seeds to run, by default 1000.")
  private @Nullable Integer seeds;

  @Option(names = "--from", paramLabel = "SEED", description = "The first of them, by default 1.")
  private @Nullable Long from;

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
    PrintWriter out = command.commandLine().getOut();
    if (seed != null) {
      require(
          seeds == null && from == null && threads == null,
          "--seed runs one seed: leave out --seeds, --from and --threads");
      return readOne(seed, out);
    }
    int count = seeds == null ? 1_000 : seeds;
    long first = from == null ? 1 : from;
    int atOnce = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    require(count >= 1, "--seeds must be at least 1: " + count);
    require(first <= Long.MAX_VALUE - count, "--from must leave room for all seeds: " + first);
    require(atOnce >= 1, "--threads must be at least 1: " + atOnce);
    return runAll(first, count, atOnce, out);
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(command.commandLine(), otherwise);
    }
  }

  private static int readOne(long seed, PrintWriter out) {
    ChaosRun.Result result = ChaosRun.of(seed, out::println);
    out.printf(Locale.ROOT, "seed %d, trace %s%n", seed, result.hash());
    out.flush();
    return result.violation() == null ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static int runAll(long first, int count, int atOnce, PrintWriter out)
      throws InterruptedException, ExecutionException {
    ExecutorService executor = Executors.newFixedThreadPool(atOnce);
    try {
      Progress progress = new Progress(System.err, count, System::nanoTime);
      ChaosReport report = new ChaosReport();
      Deque<Future<ChaosRun.Result>> runs = new ArrayDeque<>();
      for (long next = first; report.seeds() < count; ) {
        while (runs.size() < 2 * atOnce && next < first + count) {
          long one = next++;
          runs.add(executor.submit(() -> ChaosRun.of(one, null)));
        }
        progress.next("seeds");
        report.add(runs.remove().get());
        if (report.failures().size() >= MOST_FAILURES_TOLD) {
          break;
        }
      }
      progress.end();
      out.print(report.markdown(count));
      out.flush();
      return report.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    } finally {
      executor.shutdownNow();
    }
  }
}
