package io.tidegate.benchmarks.local;

import io.tidegate.benchmarks.local.Results.Batch;
import io.tidegate.benchmarks.local.Results.Cost;
import io.tidegate.benchmarks.local.Results.Decision;
import io.tidegate.benchmarks.local.Results.Memory;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs all measurements, each in a new JVM with the flags of this one.
 *
 * <p>Rounds are the outer loop: a disturbance of a minute then spoils part of one round, not all
 * rounds of one case.
 */
final class Run {

  private final Settings settings;
  private final Progress progress;
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Batch> batches = new ArrayList<>();
  private final List<Memory> memory = new ArrayList<>();

  Run(Settings settings) {
    this.settings = settings;
    this.progress = new Progress(System.err, settings.measurements(), System::nanoTime);
  }

  Results run() {
    try {
      for (int round = 1; round <= settings.rounds(); round++) {
        for (Settings.Case measured : settings.cases()) {
          measureDecisions(measured, round);
        }
        for (int size : settings.batchSizes()) {
          measureBatches(size, round);
        }
      }
      Competitor.stored().forEach(this::measureMemory);
    } finally {
      progress.end();
    }
    return new Results(settings, new Rounds<>(decisions), new Rounds<>(batches), memory);
  }

  /** Measures in another order each round, so that no competitor always follows the same one. */
  private void measureDecisions(Settings.Case measured, int round) {
    List<Competitor> competitors = new ArrayList<>(settings.competitors(measured.scenario()));
    Collections.rotate(competitors, round - 1);
    for (Competitor competitor : competitors) {
      progress.next(measured.label() + ", " + competitor.label);
      Map<String, ?> parameters = Map.of(
          "scenario", measured.scenario(), "competitor", competitor, "keys", settings.keys());
      ChainedOptionsBuilder options = options(DecisionBenchmark.class, parameters);
      options.threads(measured.threads()).warmupIterations(settings.warmups());
      decisions.add(new Decision(measured, competitor, round, cost(options)));
    }
  }

  /** Warms up twice as long, because a batch is more code to compile than a decision. */
  private void measureBatches(int size, int round) {
    for (BatchBenchmark.Kind kind : BatchBenchmark.Kind.values()) {
      progress.next("batch of " + size + ", " + kind.label);
      ChainedOptionsBuilder options =
          options(BatchBenchmark.class, Map.of("kind", kind, "size", size));
      options.threads(1).warmupIterations(2 * settings.warmups());
      batches.add(new Batch(kind, size, round, cost(options)));
    }
  }

  private Cost cost(ChainedOptionsBuilder options) {
    TimeValue iteration = TimeValue.milliseconds(settings.iterationMillis());
    options.warmupTime(iteration).measurementTime(iteration);
    options.measurementIterations(settings.iterations()).addProfiler(GCProfiler.class);
    RunResult result = run(options);
    double nanos = result.getPrimaryResult().getStatistics().getPercentile(50);
    return new Cost(nanos, secondary(result, "gc.alloc.rate.norm"));
  }

  private void measureMemory(Competitor competitor) {
    progress.next("memory, " + competitor.label);
    ChainedOptionsBuilder options =
        options(MemoryBenchmark.class, Map.of("competitor", competitor));
    options.warmupIterations(0).measurementIterations(1);
    List<String> flags = inheritedFlags();
    flags.removeIf(flag -> flag.matches("-XX:[+-]Use\\w+GC"));
    // Leaves only live objects after a collection, and little unused space in allocation buffers.
    flags.addAll(List.of("-XX:+UseSerialGC", "-XX:TLABSize=64k", "-XX:-ResizeTLAB"));
    options.jvmArgs(flags.toArray(String[]::new));
    double bytes = secondary(run(options), "bytes");
    memory.add(new Memory(competitor, bytes / MemoryBenchmark.IDENTIFIERS));
  }

  /** Options for a benchmark class, which has one method, with these parameters. */
  private ChainedOptionsBuilder options(Class<?> benchmark, Map<String, ?> parameters) {
    ChainedOptionsBuilder options = new OptionsBuilder()
        .include("^" + benchmark.getName() + "\\.")
        .forks(1)
        .jvmArgs(inheritedFlags().toArray(String[]::new))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
    parameters.forEach((name, value) -> options.param(name, value.toString()));
    return options;
  }

  private List<String> inheritedFlags() {
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    if (flags.stream().noneMatch(flag -> flag.startsWith("-Xmx"))) {
      flags.add("-Xms" + settings.heap());
      flags.add("-Xmx" + settings.heap());
      flags.add("-XX:+AlwaysPreTouch"); // so that no measurement waits for pages of the system
    }
    return flags;
  }

  private static RunResult run(ChainedOptionsBuilder options) {
    try {
      return new Runner(options.build()).runSingle();
    } catch (RunnerException e) {
      throw new IllegalStateException("a benchmark failed", e);
    }
  }

  private static double secondary(RunResult result, String name) {
    return Objects.requireNonNull(result.getSecondaryResults().get(name), name).getScore();
  }
}
