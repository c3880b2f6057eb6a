package io.tidegate.benchmarks.local;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.RATIO;
import static io.tidegate.report.Format.SMALL;

import io.tidegate.benchmarks.local.Results.Decision;
import io.tidegate.benchmarks.local.Settings.Case;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Judges the results by the targets of this benchmark. Targets that were not measured are omitted.
 */
record Targets(Results results) {

  /** How many times as fast as bucket4j and resilience4j Tidegate should be. */
  private static final Map<Case, Double> RATIOS = Map.of(
      new Case(Scenario.ZIPF, 1), 2.0,
      new Case(Scenario.ZIPF, 2), 2.0,
      new Case(Scenario.HOT, 1), 1.3);

  private static final List<Competitor> BUCKETS =
      List.of(Competitor.BUCKET4J, Competitor.RESILIENCE4J);

  private static final List<Competitor> GATES =
      List.of(Competitor.TIDEGATE, Competitor.TIDEGATE_GIVEN_TIME);

  private static final int BYTES_PER_SERIES = 330;

  /** Allocation below this comes from the JVM and JMH, not from the benchmark. */
  private static final double NO_BYTES = 0.5;

  /** The time of another product as a multiple of Tidegate's. */
  private record Comparison(Case measured, Competitor competitor, Spread ratio) {

    double median() {
      return ratio.median();
    }
  }

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (Comparison each : comparisons()) {
      Double wanted = RATIOS.get(each.measured);
      if (wanted != null && BUCKETS.contains(each.competitor)) {
        String text = "%s: at least %sx as fast as %s"
            .formatted(each.measured.label(), wanted, each.competitor.label);
        targets.add(new Target(text, each.median() >= wanted, RATIO.of(each.ratio)));
      }
    }
    addNeverSlower(Competitor.GUAVA, targets);
    addNeverSlower(Competitor.CAFFEINE, targets);
    Rounds<Decision> gates = results.decisions().where(row -> GATES.contains(row.competitor()));
    if (!gates.isEmpty()) {
      double bytes = gates.of(decision -> decision.cost().bytes()).max();
      String figure = SMALL.of(bytes) + " B at most";
      targets.add(new Target("0 B per decision through a gate", bytes < NO_BYTES, figure));
    }
    for (double bytes : ourBytes()) {
      String text = "at most " + BYTES_PER_SERIES + " B per series";
      targets.add(new Target(text, bytes <= BYTES_PER_SERIES, COUNT.of(bytes) + " B"));
    }
    return targets;
  }

  private void addNeverSlower(Competitor competitor, List<Target> targets) {
    comparisons().stream()
        .filter(each -> each.competitor == competitor && each.measured.threads() == 1)
        .min(Comparator.comparingDouble(Comparison::median))
        .map(worst -> new Target(
            "1 thread: never slower than " + competitor.label,
            worst.median() >= 1,
            RATIO.of(worst.ratio) + " at worst, for " + worst.measured.scenario().label))
        .ifPresent(targets::add);
  }

  /** Of one element, or none if memory was not measured. */
  private List<Double> ourBytes() {
    return results.memory().stream()
        .filter(row -> row.competitor() == Competitor.TIDEGATE)
        .map(row -> row.bytes())
        .toList();
  }

  /** Where another product was faster, the greatest loss first, or smaller. */
  List<String> losses() {
    List<String> losses = new ArrayList<>();
    comparisons().stream()
        .filter(loss -> loss.median() < 1)
        .sorted(Comparator.comparingDouble(Comparison::median))
        .map(loss -> "%s, %s: %s takes %s of Tidegate's time"
            .formatted(
                results.title(loss.measured.scenario()),
                loss.measured.threadsLabel(),
                loss.competitor.label,
                RATIO.of(loss.ratio)))
        .forEach(losses::add);
    for (double ours : ourBytes()) {
      results.memory().stream()
          .filter(row -> row.bytes() < ours)
          .map(row -> "memory: %s takes %s B per identifier, Tidegate %s B"
              .formatted(row.competitor().label, COUNT.of(row.bytes()), COUNT.of(ours)))
          .forEach(losses::add);
    }
    return losses;
  }

  /** Tidegate compared with each other product, in each case that was measured. */
  private List<Comparison> comparisons() {
    List<Comparison> comparisons = new ArrayList<>();
    for (Case measured : results.settings().cases()) {
      for (Competitor other : Competitor.products()) {
        Rounds<Decision> rows = results
            .decisions()
            .where(row -> row.measured().equals(measured) && row.competitor() == other);
        if (other != Competitor.TIDEGATE && !rows.isEmpty()) {
          comparisons.add(new Comparison(measured, other, rows.of(results.ratio())));
        }
      }
    }
    return comparisons;
  }
}
