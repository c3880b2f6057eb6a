package io.tidegate.benchmarks.soak;

import io.tidegate.report.Machine;
import io.tidegate.report.ReportOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench soak}. */
@Command(
    name = "soak",
    description = {
      "Runs one server with Redis and MariaDB for a long time, at 60 percent of its maximum load, while identifiers"
          + " come and go. Restarts Redis after a third of the time and MariaDB after two thirds. Reports failed"
          + " requests, latency, memory, collector pauses, open files and threads over time, and compares the counts"
          + " in Redis with what was admitted.",
      "",
      "All servers are started by the command, on loopback. Prints Markdown at the end, and progress every ten"
          + " seconds. A missed target is reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Example:",
      "  tidegate bench soak --pin --minutes 60 --json figures.json > soak.md"
    },
    usageHelpAutoWidth = true)
public final class SoakCommand implements Callable<Integer> {

  private static final int MAX_MINUTES = 10_080;
  private static final int MAX_RATE = 1_000_000;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ReportOptions options;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "Length of the load, 1 to " + MAX_MINUTES + "; by default 60, or 1 with --quick.")
  private @Nullable Integer minutes;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Requests per second, 1 to " + MAX_RATE + ", instead of 60 percent of the maximum.")
  private @Nullable Integer rate;

  @Option(
      names = "--pin",
      description =
          "Bind the server to processor 0 with one event loop, and everything else to processor 1, with taskset.")
  private boolean pin;

  @Override
  public Integer call() throws IOException {
    options.check();
    int length = minutes != null ? minutes : options.quick() ? 1 : 60;
    options.require(
        length >= 1 && length <= MAX_MINUTES,
        "--minutes must be between 1 and " + MAX_MINUTES + ": " + length);
    options.require(
        rate == null || (rate >= 1 && rate <= MAX_RATE),
        "--rate must be between 1 and " + MAX_RATE + ": " + rate);
    Settings settings = Settings.of(options.quick(), length, rate == null ? 0 : rate, pin);
    Machine machine = Machine.current();
    options.write(new Run(settings).run().report(machine));
    return ExitCode.OK;
  }
}
