package io.tidegate.simulator.fleet;

import io.tidegate.report.Machine;
import io.tidegate.report.Progress;
import io.tidegate.report.ReportOptions;
import io.tidegate.simulator.common.ParallelRuns;
import io.tidegate.simulator.common.SharingPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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
      "  tidegate simulate fleet --shape 1x,10x --json figures.json"
    },
    usageHelpAutoWidth = true)
public final class FleetCommand implements Callable<Integer> {

  /** Each simulation has a whole fleet in memory. */
  private static final int MAX_THREADS = 2;

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
  private List<String> shapes = List.of();

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "Push policy: adaptive-0.25s (default), adaptive-5s or floor-0.5-10s.")
  private String policy = "adaptive-0.25s";

  @Option(
      names = "--max-series",
      paramLabel = "N",
      description = "Maximum number of series in a node. Default: 1000000.")
  private int maxSeries = 1_000_000;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws. Default: 1.")
  private long seed = 1;

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    List<FleetSettings> settings = settings();
    Machine machine = Machine.current(); // with its load before the run
    FleetReport report = new FleetReport(machine, options.quick(), run(settings));
    options.write(report.report());
    return options.exitCode(report.targets());
  }

  /** Runs the largest fleet first; the others fill the time of the second thread. */
  private static List<FleetFigures> run(List<FleetSettings> fleets) throws InterruptedException {
    NodeMemory memory = NodeMemory.measure(); // before other threads run
    int windows = fleets.stream().mapToInt(FleetSimulation::windows).sum();
    Progress progress = new Progress(System.err, windows, System::nanoTime);
    List<FleetSettings> largestFirst = new ArrayList<>(fleets);
    Collections.reverse(largestFirst);
    List<FleetFigures> results = new ArrayList<>();
    ParallelRuns.run(
        Math.min(MAX_THREADS, ParallelRuns.processors()),
        largestFirst.iterator(),
        fleet -> new FleetSimulation(fleet).run(memory, () -> {
          synchronized (progress) {
            progress.next(fleet.label());
          }
        }),
        (fleet, figures) -> results.add(figures));
    progress.end();
    Collections.reverse(results);
    return results;
  }

  private List<FleetSettings> settings() {
    SharingPolicy sharing = POLICIES.stream()
        .filter(each -> each.option().equals(policy))
        .findFirst()
        .orElseThrow(() -> options.invalid(
            "--policy must be adaptive-0.25s, adaptive-5s or floor-0.5-10s: " + policy));
    options.require(maxSeries >= 1, "--max-series must be at least 1: " + maxSeries);
    List<String> valid = FleetSize.ALL.stream().map(FleetSize::label).toList();
    options.require(valid.containsAll(shapes), "--shape must be 1x, 10x or 100x: " + shapes);
    boolean quick = options.quick();
    List<String> chosen = !shapes.isEmpty() ? shapes : quick ? valid.subList(0, 1) : valid;
    List<FleetSettings> fleets = new ArrayList<>();
    for (FleetSize size : FleetSize.ALL) {
      if (chosen.contains(size.label())) {
        int sample = quick ? 4 * size.usualSample() : size.usualSample();
        FleetSettings fleet =
            new FleetSettings(size, sample, sharing, maxSeries, quick ? 1 : 2, seed);
        if (!quick && size.equals(FleetSize.ONE)) {
          fleets.add(fleet.withAllSeries()); // to compare the sample with
        }
        fleets.add(fleet);
      }
    }
    return fleets;
  }
}
