package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.ServerOptions;
import io.tidegate.benchmarks.rls.ServerProcess.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench rls}. */
@Command(
    name = "rls",
    description = {
      "Measures decisions over Envoy's rate limit service (gRPC): the server next to one on the same framework that"
          + " answers a constant. Reports requests per second and the server's CPU time per request, by connections,"
          + " streams, keys, descriptor and verdict, and latency at fixed rates.",
      "",
      "Servers are JVMs of their own, on loopback. Prints Markdown after about eight minutes. A missed"
          + " target is reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench rls --pin --json figures.json > rls.md",
      "  tidegate bench rls --quick --against limitador=127.0.0.1:8081,4711"
    },
    usageHelpAutoWidth = true)
public final class RlsCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ServerOptions options;

  @Option(
      names = "--against",
      paramLabel = "NAME=HOST:PORT[,PID...]",
      description =
          "Also send the same requests to a server that is running, with the rules of docs/benchmarks.md. With its"
              + " process ids, its CPU time is reported too. Can be given several times.")
  private List<String> against = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    Settings settings = Settings.of(options.quick(), options.rounds(), options.pinned());
    List<Contender> others = against.stream().map(this::contender).toList();
    Set<String> names = new HashSet<>(Kind.labels());
    others.forEach(other ->
        options.require(names.add(other.name()), "--against: name in use: " + other.name()));
    return options.run(machine -> new Run(settings, others).run().report(machine));
  }

  private Contender contender(String text) {
    try {
      return Contender.parse(text);
    } catch (IllegalArgumentException e) {
      throw options.invalid("--against: " + e.getMessage());
    }
  }
}
