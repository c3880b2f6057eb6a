package io.tidegate.benchmarks;

import io.tidegate.benchmarks.Forks.BenchmarkFailedException;
import io.tidegate.report.Progress;
import io.tidegate.report.Words;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures everything that the settings ask for.
 *
 * <p>Rounds are the outer loop: what disturbs the machine for a minute then spoils a part of one
 * round, not all rounds of one scenario.
 */
final class LocalRun {

  private final LocalSettings settings;
  private final Forks forks;
  private final Forks batchForks;
  private final Progress progress;
  private final List<LocalFigures.Decision> decisions = new ArrayList<>();
  private final List<LocalFigures.Batch> batches = new ArrayList<>();
  private final Map<Competitor, Double> bytesPerIdentifier = new EnumMap<>(Competitor.class);

  LocalRun(LocalSettings settings, PrintStream progress) {
    this.settings = settings;
    this.forks = new Forks(settings);
    this.batchForks = new Forks(settings.forBatches());
    this.progress = new Progress(progress, measurements(settings), System::nanoTime);
  }

  LocalFigures run() throws BenchmarkFailedException {
    try {
      for (int round = 1; round <= settings.rounds(); round++) {
        for (LocalSettings.Group group : settings.groups()) {
          measureDecisions(group, round);
        }
        for (int size : settings.batchSizes()) {
          measureBatches(size, round);
        }
      }
      for (Competitor competitor : Competitor.products()) {
        progress.next("memory, " + competitor.label());
        bytesPerIdentifier.put(competitor, forks.bytesPerIdentifier(competitor));
      }
    } finally {
      progress.end();
    }
    return new LocalFigures(decisions, batches, bytesPerIdentifier);
  }

  /** In another order each round, so that nobody always follows the same neighbour. */
  private void measureDecisions(LocalSettings.Group group, int round)
      throws BenchmarkFailedException {
    Scenario scenario = group.scenario();
    List<Competitor> competitors = new ArrayList<>(group.competitors());
    Collections.rotate(competitors, round - 1);
    for (Competitor competitor : competitors) {
      progress.next("%s, %s, %s"
          .formatted(scenario.label(), Words.threads(group.threads()), competitor.label()));
      LocalFigures.Cost cost = forks.measure(
          DecisionBenchmark.class,
          group.threads(),
          Map.of("scenario", scenario, "competitor", competitor, "keys", settings.keys()));
      decisions.add(new LocalFigures.Decision(scenario, group.threads(), competitor, round, cost));
    }
  }

  private void measureBatches(int size, int round) throws BenchmarkFailedException {
    for (BatchBenchmark.Kind kind : BatchBenchmark.Kind.values()) {
      progress.next("batch of " + size + ", " + kind.label());
      LocalFigures.Cost cost =
          batchForks.measure(BatchBenchmark.class, 1, Map.of("kind", kind, "size", size));
      batches.add(new LocalFigures.Batch(kind, size, round, cost));
    }
  }

  private static int measurements(LocalSettings settings) {
    int decisions =
        settings.groups().stream().mapToInt(group -> group.competitors().size()).sum();
    int batches = settings.batchSizes().size() * BatchBenchmark.Kind.values().length;
    return settings.rounds() * (decisions + batches) + Competitor.products().size();
  }
}
