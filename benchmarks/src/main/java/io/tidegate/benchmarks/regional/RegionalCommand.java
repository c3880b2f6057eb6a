package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.RunOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench regional}. */
@Command(
    name = "regional",
    description = {
      "Measures two nodes that share their counts through Redis: Tidegate, a limiter that replays every admitted"
          + " request to Redis, and bucket4j's proxy for Redis. Reports decisions and Redis commands per second,"
          + " the lag between the nodes, lost counts, and overshoot.",
      "",
      "Starts a Redis of its own, on loopback. Nodes, Redis and load share the processors of this machine. Prints"
          + " Markdown after about eight minutes. A missed target is reported and is not an error.",
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
public final class RegionalCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RunOptions options;

  @Override
  public Integer call() throws IOException {
    return options.run(machine -> new Run(settings(), System.err).run().report(machine));
  }

  private Settings settings() {
    return options.quick() ? Settings.quick(options.rounds()) : Settings.full(options.rounds());
  }
}
