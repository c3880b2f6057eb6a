package io.tidegate.simulator.fleet;

import io.tidegate.report.Machine;
import io.tidegate.report.ReportOptions;
import io.tidegate.simulator.common.SharingPolicy;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates large fleets and prints their load on database, origins and memory. */
@Command(
    name = "fleet",
    description = {
      "Simulate the fleet of the reference system (1x: 33 nodes in 10 regions, 24,000 active series), and 10 and 100"
          + " times it (330 nodes in 30 regions, 3,300 in 100). Print the load on the database and the origins, the"
          + " memory of a node, and the overshoot.",
      "",
      "All nodes are simulated, with one in several series, because series do not influence each other. 1x is"
          + " simulated with all series as well, to show the accuracy of a sample. Takes about ten minutes on two"
          + " processors. The exit code is 1 if a target is missed, unless --quick is given.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate simulate fleet --quick",
      "  tidegate simulate fleet --shape 10x --policy floor-0.5-10s",
      "  tidegate simulate fleet --shape 1x --sample 1 --minutes 5 --json figures.json"
    },
    usageHelpAutoWidth = true)
public final class FleetCommand implements Callable<Integer> {

  private static final int MAX_MINUTES = 60;

  /** Of 200 series, one is hot and used in several regions; fewer give no meaningful figures. */
  private static final int MIN_SERIES = 200;

  private static final List<SharingPolicy> POLICIES =
      List.of(SharingPolicy.ADAPTIVE, SharingPolicy.ADAPTIVE_SLOW, SharingPolicy.FLOOR);

  @Mixin
  private final ReportOptions options = new ReportOptions();

  @Option(
      names = "--shape",
      split = ",",
      paramLabel = "SHAPE",
      description =
          "Sizes of the fleet, separated by commas: 1x, 10x, 100x. Default: all, or 1x with --quick.")
  private @Nullable List<String> shapes;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description =
          "Simulate one in N series, 1 for all. Default: 12, 40 and 1,200 for the three sizes.")
  private @Nullable Integer sample;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "Measured minutes of virtual time, 1 to " + MAX_MINUTES
          + ". Default: 2, or 1 with --quick.")
  private @Nullable Integer minutes;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "adaptive-1s",
      description =
          "Push policy: adaptive-1s, adaptive-5s or floor-0.5-10s. Default: ${DEFAULT-VALUE}.")
  private String policy = "";

  @Option(
      names = "--max-series",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Maximum number of series in a node. Default: ${DEFAULT-VALUE}.")
  private int maxSeries;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all random draws. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    List<FleetSettings> fleets = settings();
    Machine machine = Machine.current();
    List<FleetResult> results = FleetRun.run(fleets, System.err);
    options.write(new FleetReport(machine, options.quick(), results).report());
    boolean met = new FleetTargets(results.stream().map(FleetResult::figures).toList()).allMet();
    return options.quick() || met ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private List<FleetSettings> settings() {
    SharingPolicy sharing = POLICIES.stream()
        .filter(each -> each.option().equals(policy))
        .findFirst()
        .orElseThrow(() -> options.invalid(
            "--policy must be adaptive-1s, adaptive-5s or floor-0.5-10s: " + policy));
    require(sample == null || sample >= 1, "--sample must be at least 1: " + sample);
    require(
        minutes == null || (minutes >= 1 && minutes <= MAX_MINUTES),
        "--minutes must be between 1 and " + MAX_MINUTES + ": " + minutes);
    require(maxSeries >= 1, "--max-series must be at least 1: " + maxSeries);
    int measured = minutes != null ? minutes : options.quick() ? 1 : 2;
    List<FleetSettings> fleets = sizes().stream()
        .flatMap(size -> samples(size)
            .map(one -> new FleetSettings(size, one, sharing, maxSeries, measured, seed)))
        .toList();
    fleets.forEach(this::checkSample);
    return fleets;
  }

  private List<FleetSize> sizes() {
    if (shapes == null) {
      return options.quick() ? List.of(FleetSize.ONE) : FleetSize.ALL;
    }
    return shapes.stream()
        .map(label -> FleetSize.of(label)
            .orElseThrow(() -> options.invalid("--shape must be 1x, 10x or 100x: " + label)))
        .distinct()
        .toList();
  }

  /** The samples of a size: 1x is also simulated with all series, for comparison. */
  private Stream<Integer> samples(FleetSize size) {
    if (sample != null) {
      return Stream.of(sample);
    }
    if (options.quick()) {
      return Stream.of(4 * size.usualSample());
    }
    return size.equals(FleetSize.ONE)
        ? Stream.of(1, size.usualSample())
        : Stream.of(size.usualSample());
  }

  private void checkSample(FleetSettings fleet) {
    FleetSize size = fleet.size();
    require(
        fleet.series() >= MIN_SERIES,
        "--sample must leave at least %d of the %d series of %s: %d"
            .formatted(MIN_SERIES, size.series(), size.label(), fleet.sample()));
    long heap = Runtime.getRuntime().maxMemory();
    require(
        fleet.bytes() <= heap,
        "--sample must leave fewer series of %s, whose nodes need %,d MB of a heap of %,d MB: %d"
            .formatted(size.label(), fleet.bytes() >> 20, heap >> 20, fleet.sample()));
  }

  private void require(boolean valid, String message) {
    if (!valid) {
      throw options.invalid(message);
    }
  }
}
