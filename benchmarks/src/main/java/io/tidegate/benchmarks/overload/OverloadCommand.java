package io.tidegate.benchmarks.overload;

import io.tidegate.benchmarks.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench overload}. */
@Command(
    name = "overload",
    description = {
      "Measures the server under more load than it can answer: first its maximum in a closed loop, then requests at"
          + " rates from a tenth to twice the maximum, whether or not answers arrive. Reports what was answered,"
          + " refused and timed out, latency, and the server's CPU time and memory.",
      "",
      "The server is a JVM of its own, on loopback. Prints Markdown after about six minutes. A missed target is"
          + " reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench overload --pin --svg . > overload.md",
      "  tidegate bench overload --quick --batch 20"
    },
    usageHelpAutoWidth = true)
public final class OverloadCommand implements Callable<Integer> {

  private static final int MAX_BATCH = 20;
  private static final int MAX_CONNECTIONS = 20_000;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ServerOptions options;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Limits per request, 1 to " + MAX_BATCH + "; by default ${DEFAULT-VALUE}.")
  private int batch = 1;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description =
          "Maximum connections, 1 to " + MAX_CONNECTIONS + "; by default ${DEFAULT-VALUE}.")
  private int connections = 1_000;

  @Option(
      names = "--svg",
      paramLabel = "DIRECTORY",
      description = "Also draw the curves into overload.svg and overload-latency.svg there.")
  private @Nullable Path svg;

  @Override
  public Integer call() throws IOException {
    options.require(
        batch >= 1 && batch <= MAX_BATCH,
        "--batch must be between 1 and " + MAX_BATCH + ": " + batch);
    options.require(
        connections >= 1 && connections <= MAX_CONNECTIONS,
        "--connections must be between 1 and " + MAX_CONNECTIONS + ": " + connections);
    options.require(svg == null || Files.isDirectory(svg), "--svg must be a directory: " + svg);
    Settings settings =
        Settings.of(options.quick(), options.rounds(), options.pinned(), batch, connections);
    return options.run(machine -> {
      Results results = new Run(settings).run();
      if (svg != null) {
        Curves curves = new Curves(results);
        Files.writeString(svg.resolve("overload.svg"), curves.rates().svg());
        Files.writeString(
            svg.resolve("overload-latency.svg"), curves.latencies().svg());
      }
      return results.report(machine);
    });
  }
}
