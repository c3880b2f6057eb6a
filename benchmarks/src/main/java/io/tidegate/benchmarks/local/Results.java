package io.tidegate.benchmarks;

import io.tidegate.report.Spread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * All that a run has measured.
 *
 * @param decisions one for each competitor, scenario, number of threads and round
 * @param batches one for each kind, size and round
 * @param bytesPerIdentifier heap that a known identifier takes
 */
record LocalFigures(
    List<Decision> decisions, List<Batch> batches, Map<Competitor, Double> bytesPerIdentifier) {

  /** What an operation takes: of one thread's time, and of memory. */
  record Cost(double nanos, double bytes) {}

  record Decision(Scenario scenario, int threads, Competitor competitor, int round, Cost cost) {

    private boolean is(Scenario scenario, int threads, Competitor competitor) {
      return this.scenario == scenario && this.threads == threads && this.competitor == competitor;
    }
  }

  record Batch(BatchBenchmark.Kind kind, int size, int round, Cost cost) {}

  Optional<Spread> nanos(Scenario scenario, int threads, Competitor competitor) {
    return spread(scenario, threads, competitor, decision -> decision.cost().nanos());
  }

  Optional<Spread> bytes(Scenario scenario, int threads, Competitor competitor) {
    return spread(scenario, threads, competitor, decision -> decision.cost().bytes());
  }

  /**
   * How many times as long as Tidegate a competitor takes. Each round's figures are compared with
   * each other before they are with those of other rounds: the machine may be slower in one round
   * than in the next.
   */
  Optional<Spread> ratio(Scenario scenario, int threads, Competitor competitor) {
    return spread(scenario, threads, competitor, this::ratio);
  }

  double ratio(Decision decision) {
    return decisions.stream()
        .filter(other -> other.is(decision.scenario(), decision.threads(), Competitor.TIDEGATE))
        .filter(other -> other.round() == decision.round())
        .mapToDouble(tidegate -> decision.cost().nanos() / tidegate.cost().nanos())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nothing to compare with: " + decision));
  }

  private Optional<Spread> spread(
      Scenario scenario, int threads, Competitor competitor, ToDoubleFunction<Decision> figure) {
    double[] figures = decisions.stream()
        .filter(decision -> decision.is(scenario, threads, competitor))
        .mapToDouble(figure)
        .toArray();
    return figures.length == 0 ? Optional.empty() : Optional.of(Spread.of(figures));
  }

  Spread batchNanos(BatchBenchmark.Kind kind, int size) {
    return batchSpread(kind, size, Cost::nanos);
  }

  Spread batchBytes(BatchBenchmark.Kind kind, int size) {
    return batchSpread(kind, size, Cost::bytes);
  }

  private Spread batchSpread(BatchBenchmark.Kind kind, int size, ToDoubleFunction<Cost> figure) {
    return Spread.of(batches.stream()
        .filter(batch -> batch.kind() == kind && batch.size() == size)
        .map(Batch::cost)
        .mapToDouble(figure)
        .toArray());
  }
}
