package io.tidegate.simulator.overshoot;

import io.tidegate.report.ReportOptions;
import io.tidegate.simulator.common.SharingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
      "Nodes run the shipped code in virtual time; the same seed gives the same figures on every machine. Takes about four"
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
      description = "Traffic patterns: ${COMPLETION-CANDIDATES}. Default: all.")
  private List<TrafficPattern> patterns = List.of();

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
    options.require(
        regions >= 2 && regions <= 50, "--regions must be between 2 and 50: " + regions);
    options.require(limit >= 1 && limit <= 20_000, "--limit must be between 1 and 20000: " + limit);
    options.require(
        loads.stream().allMatch(load -> load > 0 && load <= 100),
        "--load must be more than 0 and at most 100: " + loads);
    options.require(
        plots == null || (Files.isDirectory(plots) && Files.isWritable(plots)),
        "--plots must be a directory that can be written to: " + plots);
    OvershootSettings settings = settings();
    TrialResults results = TrialResults.run(settings);
    OvershootReport report = new OvershootReport(settings, results);
    options.write(report.report());
    if (plots != null) {
      new OvershootPlots(settings, results).write(plots);
    }
    return options.exitCode(report.targets());
  }

  private OvershootSettings settings() {
    boolean quick = options.quick();
    List<Double> defaultLoads = quick ? List.of(1.0, 2.0, 10.0) : OvershootSettings.LOADS;
    return new OvershootSettings(
        regions,
        quick
            ? 2
            : 3, // two nodes per region give nearly the same figures in two thirds of the time
        limit,
        seed,
        quick,
        patterns.isEmpty()
            ? List.of(TrafficPattern.values())
            : patterns.stream().distinct().sorted().toList(),
        loads.isEmpty() ? defaultLoads : loads.stream().distinct().sorted().toList(),
        SharingPolicy.ALL.stream()
            .filter(policy -> !quick || !policy.equals(SharingPolicy.ADAPTIVE_SLOW))
            .toList(),
        plots != null || (patterns.isEmpty() && loads.isEmpty() && !quick));
  }
}
