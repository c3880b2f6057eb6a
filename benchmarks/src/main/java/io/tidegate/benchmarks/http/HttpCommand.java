package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.ServerOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench http}. */
@Command(
    name = "http",
    description = {
      "Measures decisions over HTTP: the server next to one on the same framework that answers a constant. Reports"
          + " requests per second with few and many connections and keys, latency at fixed rates, the server's CPU"
          + " time per million requests, and its memory.",
      "",
      "Servers are JVMs of their own, on loopback. Prints Markdown after about five minutes. A missed"
          + " target is reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {"", "Example:", "  tidegate bench http --pin --json figures.json > http.md"},
    usageHelpAutoWidth = true)
public final class HttpCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ServerOptions options;

  @Override
  public Integer call() throws IOException {
    Settings settings = Settings.of(options.quick(), options.rounds(), options.pinned());
    return options.run(machine -> new Run(settings).run().report(machine));
  }
}
