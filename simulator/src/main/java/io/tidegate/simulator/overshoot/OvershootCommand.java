package io.tidegate.simulator.overshoot;

import io.tidegate.report.Plot;
import io.tidegate.report.ReportOptions;
import io.tidegate.report.Target;
import io.tidegate.simulator.common.SharingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates one limit that many regions use, and prints its overshoot by policy. */
@Command(
    name = "overshoot",
    aliases = "spread",
    description = {
      "Simulate one limit that many regions use. Print its overshoot, wrong denials and the rows written, by policy,"
          + " traffic and load.",
      "",
      "Nodes run the shipped code in virtual time; the same seed gives the same figures on every machine. Takes about two"
          + " minutes on two processors. The exit code is 1 if a target is missed, unless --quick is given.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate simulate overshoot --quick",
      "  tidegate simulate overshoot --traffic even,zipf --load 2,10 --limit 100",
      "  tidegate simulate overshoot --plots docs/overshoot > overshoot.md"
    },
    usageHelpAutoWidth = true)
public final class OvershootCommand implements Callable<Integer> {

  @Mixin
  private final ReportOptions options = new ReportOptions();

  @Option(
      names = "--regions",
      paramLabel = "N",
      description = "Number of regions, 2 to 50. Default: 10.")
  private int regions = 10;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of nodes per region, 1 to 50. Default: 3, or 2 with --quick.")
  private @Nullable Integer nodes;

  /** At most 20,000, because all requests of a trial are in memory at once. */
  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Tokens per window, 1 to 20000. Default: 1000.")
  private long limit = 1_000;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws. Default: 1.")
  private long seed = 1;

  @Option(
      names = "--traffic",
      paramLabel = "NAME",
      split = ",",
      description =
          "Traffic patterns: one-region, two-regions, even, zipf, joins-late, burst, attacker, ten-seconds, day,"
              + " oversized, bleed-in. Default: all.")
  private List<String> patterns = List.of();

  @Option(
      names = "--load",
      paramLabel = "TIMES",
      split = ",",
      description = "Loads, as multiples of the limit per window.")
  private List<Double> loads = List.of();

  @Option(
      names = "--plots",
      paramLabel = "DIR",
      description = "Also write plots to this directory, as SVG.")
  private @Nullable Path plots;

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    OvershootSettings settings = settings();
    TrialResults results = TrialResults.run(settings, System.err);
    OvershootReport report = new OvershootReport(settings, results);
    options.write(report.report());
    if (plots != null) {
      for (Map.Entry<String, Plot> plot :
          new OvershootPlots(settings, results).plots().entrySet()) {
        Files.writeString(plots.resolve(plot.getKey()), plot.getValue().svg());
      }
    }
    boolean met = report.targets().stream().allMatch(Target::met);
    return met || options.quick() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private OvershootSettings settings() {
    boolean quick = options.quick();
    // Two nodes per region give nearly the same figures in two thirds of the time.
    int nodesPerRegion = nodes != null ? nodes : quick ? 2 : 3;
    checkRange("--regions", 2, 50, regions);
    checkRange("--nodes", 1, 50, nodesPerRegion);
    checkRange("--limit", 1, 20_000, limit);
    if (loads.stream().anyMatch(load -> !(load > 0 && load <= 100))) {
      throw options.invalid("--load must be more than 0 and at most 100: " + loads);
    }
    if (plots != null && !(Files.isDirectory(plots) && Files.isWritable(plots))) {
      throw options.invalid("--plots must be a directory that can be written to: " + plots);
    }
    boolean all = patterns.isEmpty() && loads.isEmpty();
    return new OvershootSettings(
        regions,
        nodesPerRegion,
        limit,
        seed,
        quick,
        patterns(),
        loads(),
        SharingPolicy.ALL.stream()
            .filter(policy -> !quick || !policy.equals(SharingPolicy.ADAPTIVE_SLOW))
            .toList(),
        plots != null || (all && !quick));
  }

  private List<Double> loads() {
    if (loads.isEmpty()) {
      return options.quick() ? List.of(1.0, 2.0, 10.0) : OvershootSettings.LOADS;
    }
    return loads.stream().distinct().sorted().toList();
  }

  private void checkRange(String option, long min, long max, long value) {
    if (value < min || value > max) {
      throw options.invalid("%s must be between %d and %d: %d".formatted(option, min, max, value));
    }
  }

  private List<TrafficPattern> patterns() {
    List<TrafficPattern> all = List.of(TrafficPattern.values());
    List<String> valid = all.stream().map(TrafficPattern::option).toList();
    if (!valid.containsAll(patterns)) {
      throw options.invalid("--traffic must be one of %s: %s".formatted(valid, patterns));
    }
    return all.stream()
        .filter(each -> patterns.isEmpty() || patterns.contains(each.option()))
        .toList();
  }
}
