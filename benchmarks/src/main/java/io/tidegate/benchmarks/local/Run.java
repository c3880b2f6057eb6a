package io.tidegate.benchmarks.local;

import io.tidegate.benchmarks.local.Forks.BenchmarkFailedException;
import io.tidegate.benchmarks.local.Results.Batch;
import io.tidegate.benchmarks.local.Results.Cost;
import io.tidegate.benchmarks.local.Results.Decision;
import io.tidegate.benchmarks.local.Results.Memory;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Runs all measurements.
 *
 * <p>Rounds are the outer loop: a disturbance of a minute then spoils part of one round, not all
 * rounds of one case.
 */
final class Run {

  private final Settings settings;
  private final Forks forks;
  private final Forks batchForks;
  private final Progress progress;
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Batch> batches = new ArrayList<>();
  private final List<Memory> memory = new ArrayList<>();

  Run(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.forks = new Forks(settings);
    this.batchForks = new Forks(settings.forBatches());
    this.progress = new Progress(progress, measurements(settings), System::nanoTime);
  }

  Results run() throws BenchmarkFailedException {
    try {
      for (int round = 1; round <= settings.rounds(); round++) {
        for (Settings.Case measured : settings.cases()) {
          measureDecisions(measured, round);
        }
        for (int size : settings.batchSizes()) {
          measureBatches(size, round);
        }
      }
      for (Competitor competitor : Competitor.products()) {
        progress.next("memory, " + competitor.label());
        memory.add(new Memory(competitor, forks.bytesPerIdentifier(competitor)));
      }
    } finally {
      progress.end();
    }
    return new Results(settings, new Rounds<>(decisions), new Rounds<>(batches), memory);
  }

  /** Measures in another order each round, so that no competitor always follows the same one. */
  private void measureDecisions(Settings.Case measured, int round) throws BenchmarkFailedException {
    List<Competitor> competitors = new ArrayList<>(settings.competitors(measured.scenario()));
    Collections.rotate(competitors, round - 1);
    for (Competitor competitor : competitors) {
      progress.next(measured.label() + ", " + competitor.label());
      Cost cost = forks.measure(
          DecisionBenchmark.class,
          measured.threads(),
          Map.of(
              "scenario", measured.scenario(),
              "competitor", competitor,
              "keys", settings.keys()));
      decisions.add(new Decision(measured, competitor, round, cost));
    }
  }

  private void measureBatches(int size, int round) throws BenchmarkFailedException {
    for (BatchBenchmark.Kind kind : BatchBenchmark.Kind.values()) {
      progress.next("batch of " + size + ", " + kind.label());
      Cost cost = batchForks.measure(BatchBenchmark.class, 1, Map.of("kind", kind, "size", size));
      batches.add(new Batch(kind, size, round, cost));
    }
  }

  private static int measurements(Settings settings) {
    int decisions = settings.cases().stream()
        .mapToInt(measured -> settings.competitors(measured.scenario()).size())
        .sum();
    int batches = settings.batchSizes().size() * BatchBenchmark.Kind.values().length;
    return settings.rounds() * (decisions + batches) + Competitor.products().size();
  }
}
