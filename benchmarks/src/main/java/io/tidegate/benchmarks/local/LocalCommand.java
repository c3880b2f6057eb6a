package io.tidegate.benchmarks.local;

import io.tidegate.benchmarks.RunOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench local}. */
@Command(
    name = "local",
    description = {
      "Measures decisions in memory: Tidegate, bucket4j, resilience4j, Guava's RateLimiter and a fixed window in a"
          + " Caffeine cache. Reports time, allocation and memory, with 1 and 2 threads.",
      "",
      "Every figure comes from a JVM of its own, which inherits the flags of this one. Prints Markdown after about"
          + " twenty minutes. A missed target is reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {"", "Example:", "  tidegate bench local --rounds 5 --json figures.json > local.md"},
    usageHelpAutoWidth = true)
public final class LocalCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RunOptions options;

  @Override
  public Integer call() throws IOException {
    Settings settings = Settings.of(options.quick(), options.rounds());
    return options.run(machine -> new Run(settings).run().report(machine));
  }
}
