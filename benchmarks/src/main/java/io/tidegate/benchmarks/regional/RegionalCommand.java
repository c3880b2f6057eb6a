package io.tidegate.benchmarks;

import io.tidegate.report.Machine;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Measures decisions of nodes that share their counts through Redis, and prints what came out. */
@Command(
    name = "regional",
    description = {
      "Measures two nodes that share their counts through Redis: Tidegate, a limiter that replays every"
          + " accepted request to Redis, and bucket4j's proxy for Redis. Decisions and Redis commands a second,"
          + " how long until one node knows what the other accepted, what is lost on the way, and how much"
          + " more than a limit gets through.",
      "",
      "Starts a Redis of its own, on loopback. Nodes, Redis and requests share this machine's processors."
          + " The result is Markdown, after some eight minutes. A missed target is told, and is no error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench regional --quick",
      "  tidegate bench regional --rounds 5 --json figures.json > regional.md"
    },
    usageHelpAutoWidth = true)
final class RegionalCommand implements Callable<Integer> {

  @Mixin
  private RunOptions options;

  @Override
  public Integer call() throws IOException {
    options.check();
    RegionalSettings settings = options.quick()
        ? RegionalSettings.quick(options.rounds())
        : RegionalSettings.full(options.rounds());
    Machine machine = Machine.current();
    RegionalFigures figures = new RegionalRun(settings, System.err).run();
    System.out.print(new RegionalReport(machine, settings, figures).markdown());
    options.export(new RegionalExport(machine, settings, figures).content());
    return ExitCode.OK;
  }
}
