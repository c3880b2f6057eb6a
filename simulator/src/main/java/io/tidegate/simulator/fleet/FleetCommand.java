package io.tidegate.simulator.fleet;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Simulates fleets larger than any machine here, and prints what they ask of what is around them.
 */
@Command(
    name = "fleet",
    description = {
      "Simulates the fleet that the RFC found in production (1x: 33 nodes in 10 regions, 24,000 active series), and 10"
          + " and 100 times it (330 nodes in 30 regions, 3,300 in 100): what they ask of the database and of the"
          + " origins, how much memory a node needs, and how much more than their limits series get.",
      "",
      "All nodes are simulated, but one in so many series: series know nothing of each other. The RFC's own shape is"
          + " simulated with all of them too, to see what a sample is worth. Takes some ten minutes on two"
          + " processors. Exits with 1 if a target is missed.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate simulate fleet --quick",
      "  tidegate simulate fleet --shape 10x --policy rfc",
      "  tidegate simulate fleet --shape 1x --sample 1 --minutes 5 --json figures.json"
    },
    usageHelpAutoWidth = true)
public final class FleetCommand implements Callable<Integer> {

  private static final int MOST_MINUTES = 60;

  /** Fewer are too few to say anything: of 200, one is hot and used in several regions. */
  private static final int FEWEST_SERIES = 200;

  @Spec
  private CommandSpec command;

  @Option(
      names = "--shape",
      split = ",",
      paramLabel = "SHAPE",
      description =
          "How large: 1x, 10x or 100x, or several of them with commas; by default all, or 1x with"
              + " --quick.")
  private @Nullable List<String> shapes;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description =
          "Simulate one in N series, and all with 1; by default 12, 40 and 1,200 for the three shapes.")
  private @Nullable Integer sample;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How many minutes of virtual time to measure, 1 to " + MOST_MINUTES
          + "; by default 2, or 1 with --quick.")
  private @Nullable Integer minutes;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "What regions tell each other: adaptive, adaptive5 (every five seconds) or rfc; by default"
              + " ${DEFAULT-VALUE}.",
      defaultValue = "adaptive")
  private String policy;

  @Option(
      names = "--max-series",
      paramLabel = "N",
      description =
          "Most series that a node may hold; by default ${DEFAULT-VALUE}, as it has by default.",
      defaultValue = "1000000")
  private int maxSeries;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "What all that happens by chance follows from; by default ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--quick",
      description =
          "A quarter of the series, and one minute: some seconds, good for a first look only.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write all raw figures to this file, as JSON.")
  private @Nullable Path json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<FleetSettings> plans = plans();
    Machine machine = Machine.current();
    FleetRun.Outcome outcome = new FleetRun(plans, System.err).run();
    System.out.print(
        new FleetReport(machine, quick, outcome.figures(), outcome.memory()).markdown());
    if (json != null) {
      Files.writeString(
          json, Json.of(new FleetExport(machine, outcome.figures(), outcome.memory()).content()));
    }
    boolean met = new FleetTargets(outcome.figures()).allMet();
    return quick || met ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Refuses what cannot be done, before anything begins. */
  private List<FleetSettings> plans() {
    List<String> labels =
        shapes != null ? shapes : quick ? List.of("1x") : List.of("1x", "10x", "100x");
    List<FleetSize> asked = labels.stream()
        .map(label -> FleetSize.of(label)
            .orElseThrow(() -> refuse("--shape must be 1x, 10x or 100x: " + label)))
        .distinct()
        .toList();
    Policy told = Policy.of(policy)
        .orElseThrow(() -> refuse("--policy must be adaptive, adaptive5 or rfc: " + policy));
    if (sample != null && sample < 1) {
      throw refuse("--sample must be at least 1: " + sample);
    }
    if (minutes != null && (minutes < 1 || minutes > MOST_MINUTES)) {
      throw refuse("--minutes must be between 1 and " + MOST_MINUTES + ": " + minutes);
    }
    if (maxSeries < 1) {
      throw refuse("--max-series must be at least 1: " + maxSeries);
    }
    if (json != null && !Json.isWritable(json)) {
      throw refuse("--json must be a file that can be written: " + json);
    }
    int measured = minutes != null ? minutes : quick ? 1 : 2;
    List<FleetSettings> plans =
        FleetRun.plans(asked, sample == null ? 0 : sample, told, maxSeries, measured, seed, quick);
    for (FleetSettings plan : plans) {
      if (plan.series() < FEWEST_SERIES) {
        throw refuse("--sample must leave at least %d of the %d series of %s: %d"
            .formatted(FEWEST_SERIES, plan.shape().series(), plan.shape().label(), plan.sample()));
      }
    }
    long most = Runtime.getRuntime().maxMemory();
    for (FleetSettings plan : plans) {
      if (plan.bytes() > most) {
        throw refuse(
            "--sample must leave fewer series of %s, whose nodes would need %,d MB of the %,d MB that there are: %d"
                .formatted(plan.shape().label(), plan.bytes() >> 20, most >> 20, plan.sample()));
      }
    }
    return plans;
  }

  private ParameterException refuse(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
