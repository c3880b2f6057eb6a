package io.tidegate.benchmarks.global;

import io.tidegate.benchmarks.RunOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench global}. */
@Command(
    name = "global",
    description = {
      "Measures 33 nodes in 10 regions that share their counts through MariaDB, under a load like production. Reports,"
          + " for each push policy, the load on the database, the lag between regions and the overshoot; the CPU"
          + " time of a tick; and the load at which MariaDB becomes the bottleneck.",
      "",
      "Starts a MariaDB of its own, on loopback. Nodes, MariaDB and load share the processors of this machine. Prints"
          + " Markdown after about twenty minutes; --rounds is the number of one-minute windows per policy. A missed"
          + " target is reported and is not an error.",
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
public final class GlobalCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RunOptions options;

  @Override
  public Integer call() throws IOException {
    return options.run(
        machine -> new GlobalReport(new Run(settings(), System.err).run()).report(machine));
  }

  private Settings settings() {
    return options.quick() ? Settings.quick(options.rounds()) : Settings.full(options.rounds());
  }
}
