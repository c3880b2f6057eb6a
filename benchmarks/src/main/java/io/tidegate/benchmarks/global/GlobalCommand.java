package io.tidegate.benchmarks;

import io.tidegate.report.Machine;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Measures regions that share their counts through MariaDB, and prints what came out. */
@Command(
    name = "global",
    description = {
      "Measures 33 nodes in 10 regions that share their counts through MariaDB, at the pace of production: what each"
          + " policy of sharing asks of the database, how long until another region knows what one accepted, how"
          + " much more than a limit gets through, what a tick takes, and where MariaDB becomes the limit.",
      "",
      "Starts a MariaDB of its own, on loopback. Nodes, MariaDB and requests share this machine's processors."
          + " The result is Markdown, after some twenty minutes; --rounds says how many windows of a minute are"
          + " measured for each policy. A missed target is told, and is no error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench global --quick",
      "  tidegate bench global --rounds 1 --json figures.json > global.md"
    },
    usageHelpAutoWidth = true)
final class GlobalCommand implements Callable<Integer> {

  @Mixin
  private RunOptions options;

  @Override
  public Integer call() throws IOException {
    options.check();
    GlobalSettings settings = options.quick()
        ? GlobalSettings.quick(options.rounds())
        : GlobalSettings.full(options.rounds());
    Machine machine = Machine.current();
    GlobalFigures figures = new GlobalRun(settings, System.err).run();
    System.out.print(new GlobalReport(machine, settings, figures).markdown());
    options.export(new GlobalExport(machine, settings, figures).content());
    return ExitCode.OK;
  }
}
