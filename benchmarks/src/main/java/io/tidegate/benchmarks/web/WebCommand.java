package io.tidegate.benchmarks.web;

import io.tidegate.benchmarks.ServerOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench web}. */
@Command(
    name = "web",
    description = {
      "Measures rate limiters in a Spring Boot application: one endpoint of Spring MVC without a limiter, with the"
          + " starters of Tidegate and bucket4j, and with an annotation of resilience4j. Reports requests per second"
          + " and the application's CPU time per request, with few and many connections and keys.",
      "",
      "Applications are JVMs of their own, on loopback. Prints Markdown after about six minutes. A missed target is"
          + " reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {"", "Example:", "  tidegate bench web --pin --json figures.json > web.md"},
    usageHelpAutoWidth = true)
public final class WebCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ServerOptions options;

  @Override
  public Integer call() throws IOException {
    Settings settings = Settings.of(options.quick(), options.rounds(), options.pinned());
    return options.run(machine -> new Run(settings).run().report(machine));
  }
}
