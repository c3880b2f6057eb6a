package io.tidegate.simulator.overshoot;

import io.tidegate.report.Json;
import io.tidegate.report.Plot;
import io.tidegate.report.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Simulates one limit that many regions use, and prints what came out. */
@Command(
    name = "spread",
    description = {
      "Simulates one limit that many regions use: how far it is exceeded and whom it wrongly denies, by what the regions"
          + " tell each other, and how many rows that takes.",
      "",
      "Nodes are the shipped code in virtual time; the same seed gives the same figures everywhere. The result is Markdown,"
          + " after some two minutes on two processors. A target that is missed is an error, unless --quick is given.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate simulate spread --quick",
      "  tidegate simulate spread --traffic even,zipf --load 2,10 --policy adaptive-1s --limit 100",
      "  tidegate simulate spread --plots docs/spread > spread.md"
    },
    usageHelpAutoWidth = true)
public final class OvershootCommand implements Callable<Integer> {

  private static final int MAX_REGIONS = 50;
  private static final int MAX_NODES = 50;

  /** All requests of a trial are in memory at once. */
  private static final long MAX_LIMIT = 20_000;

  private static final double MAX_LOAD = 100;

  @Spec
  private CommandSpec command;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "" + OvershootSettings.REGIONS,
      description = "How many regions, 2 to " + MAX_REGIONS + "; by default ${DEFAULT-VALUE}.")
  private int regions;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes in each, 1 to " + MAX_NODES + "; by default "
          + OvershootSettings.NODES + ", or " + OvershootSettings.QUICK_NODES + " with --quick.")
  private @Nullable Integer nodes;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "" + OvershootSettings.LIMIT,
      description = "Tokens per window, 1 to " + MAX_LIMIT + "; by default ${DEFAULT-VALUE}.")
  private long limit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "What all chance follows from; by default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--traffic",
      paramLabel = "NAME",
      split = ",",
      description =
          "Only these shapes of traffic: one-region, two-regions, even, zipf, joins-late, burst, attacker,"
              + " ten-seconds, day, oversized, bleed-in.")
  private List<String> traffics = List.of();

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      split = ",",
      description =
          "Only these policies: blocklist-10s, floor-0.5-10s, floor-0.2-remote-aware-5s, adaptive-5s, adaptive-1s.")
  private List<String> policies = List.of();

  @Option(
      names = "--load",
      paramLabel = "TIMES",
      split = ",",
      description = "Only these loads, as multiples of the limit per window.")
  private List<Double> loads = List.of();

  @Option(
      names = "--quick",
      description =
          "Fewer nodes, windows and loads: under twenty seconds, good for a first look only.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write all figures to this file, as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--plots",
      paramLabel = "DIR",
      description = "Also draw plots into this folder, as SVG.")
  private @Nullable Path plots;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OvershootSettings settings = settings();
    TrialResults figures = new OvershootRun(settings, System.err).run();
    System.out.print(new OvershootReport(settings, figures).markdown());
    if (json != null) {
      Files.writeString(json, Json.of(new OvershootExport(settings, figures).content()));
    }
    if (plots != null) {
      for (Map.Entry<String, Plot> plot :
          new OvershootPlots(settings, figures).plots().entrySet()) {
        Files.writeString(plots.resolve(plot.getKey()), plot.getValue().svg());
      }
    }
    boolean met =
        new OvershootTargets(settings, figures).verdicts().stream().allMatch(Verdict::met);
    return met || quick ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private OvershootSettings settings() {
    check("--regions", 2, MAX_REGIONS, regions);
    int nodesPerRegion =
        nodes != null ? nodes : quick ? OvershootSettings.QUICK_NODES : OvershootSettings.NODES;
    check("--nodes", 1, MAX_NODES, nodesPerRegion);
    check("--limit", 1, MAX_LIMIT, limit);
    for (double load : loads) {
      if (!(load > 0 && load <= MAX_LOAD)) {
        throw refused("--load must be more than 0 and at most 100: " + load);
      }
    }
    if (json != null && !Json.isWritable(json)) {
      throw refused("--json must be a file that can be written: " + json);
    }
    if (plots != null && !(Files.isDirectory(plots) && Files.isWritable(plots))) {
      throw refused("--plots must be a folder that can be written to: " + plots);
    }
    boolean all = traffics.isEmpty() && policies.isEmpty() && loads.isEmpty();
    return new OvershootSettings(
        regions,
        nodesPerRegion,
        limit,
        seed,
        quick,
        chosen("--traffic", traffics, List.of(TrafficPattern.values()), TrafficPattern::option),
        loads.isEmpty()
            ? quick ? OvershootSettings.QUICK_LOADS : OvershootSettings.LOADS
            : distinct(loads),
        policies.isEmpty() && quick
            ? SharingPolicy.QUICK
            : chosen("--policy", policies, SharingPolicy.ALL, SharingPolicy::option),
        plots != null || all && !quick);
  }

  private static List<Double> distinct(List<Double> loads) {
    return loads.stream().distinct().sorted().toList();
  }

  private void check(String option, long least, long most, long value) {
    if (value < least || value > most) {
      throw refused("%s must be between %d and %d: %d".formatted(option, least, most, value));
    }
  }

  /** Those with these names, in their own order; all if there are none. */
  private <T> List<T> chosen(
      String option, List<String> names, List<T> all, Function<T, String> name) {
    List<String> known = all.stream().map(name).toList();
    for (String each : names) {
      if (!known.contains(each)) {
        throw refused("%s must be one of %s: %s".formatted(option, String.join(", ", known), each));
      }
    }
    return names.isEmpty()
        ? all
        : all.stream().filter(each -> names.contains(name.apply(each))).toList();
  }

  private ParameterException refused(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
