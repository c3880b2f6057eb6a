package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.ServerOptions;
import io.tidegate.benchmarks.http.ServerProcess.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    footer = {
      "",
      "Examples:",
      "  tidegate bench http --pin --json figures.json > http.md",
      "  tidegate bench http --against throttlecrab=http://127.0.0.1:9090/throttle --body throttle.json"
    },
    usageHelpAutoWidth = true)
public final class HttpCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ServerOptions options;

  @ArgGroup(exclusive = false, multiplicity = "0..*")
  private List<Peer> peers = new ArrayList<>();

  @Option(
      names = "--remote",
      description = "Allow URLs of --against on other machines, which then receive the full load.")
  private boolean remote;

  @Override
  public Integer call() throws IOException {
    Settings settings = Settings.of(options.quick(), options.rounds(), options.pinned());
    options.check();
    List<Contender> others = peers.stream().map(this::contender).toList();
    Set<String> names = new HashSet<>(Kind.labels());
    others.forEach(other ->
        options.require(names.add(other.name()), "--against: name in use: " + other.name()));
    return options.run(machine -> new Run(settings, others).run().report(machine));
  }

  private Contender contender(Peer peer) {
    try {
      return peer.contender(remote);
    } catch (IllegalArgumentException e) {
      throw options.invalid(String.valueOf(e.getMessage()));
    }
  }
}
