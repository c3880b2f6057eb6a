package io.tidegate.benchmarks.local;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.local.Settings.Case;
import io.tidegate.report.Rounds;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

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
    comparisons()
        .filter(each -> RATIOS.containsKey(each.measured) && BUCKETS.contains(each.competitor))
        .map(each -> atLeast(Objects.requireNonNull(RATIOS.get(each.measured)), each))
        .forEach(targets::add);
    neverSlower(Competitor.GUAVA).forEach(targets::add);
    neverSlower(Competitor.CAFFEINE).forEach(targets::add);
    noAllocation().forEach(targets::add);
    ourBytes().map(Targets::memory).forEach(targets::add);
    return targets;
  }

  private static Target atLeast(double wanted, Comparison each) {
    String text = "%s: at least %sx as fast as %s"
        .formatted(each.measured.label(), wanted, each.competitor.label);
    return new Target(text, each.median() >= wanted, RATIO.of(each.ratio));
  }

  private Stream<Target> neverSlower(Competitor competitor) {
    return comparisons()
        .filter(each -> each.competitor == competitor && each.measured.threads() == 1)
        .min(Comparator.comparingDouble(Comparison::median))
        .map(worst -> new Target(
            "1 thread: never slower than " + competitor.label,
            worst.median() >= 1,
            RATIO.of(worst.ratio) + " at worst, for " + worst.measured.scenario().label))
        .stream();
  }

  private Stream<Target> noAllocation() {
    return results.decisions().rows().stream()
        .filter(decision -> decision.competitor() == Competitor.TIDEGATE
            || decision.competitor() == Competitor.TIDEGATE_GIVEN_TIME)
        .map(decision -> decision.cost().bytes())
        .max(Comparator.naturalOrder())
        .map(bytes -> new Target(
            "0 B per decision through a gate",
            bytes < NO_BYTES,
            String.format(Locale.ROOT, "%.3f B at most", bytes)))
        .stream();
  }

  private static Target memory(double bytes) {
    String text = "at most " + BYTES_PER_SERIES + " B per series";
    return new Target(text, bytes <= BYTES_PER_SERIES, COUNT.of(bytes) + " B");
  }

  private Stream<Double> ourBytes() {
    return results.memory().stream()
        .filter(row -> row.competitor() == Competitor.TIDEGATE)
        .map(row -> row.bytes());
  }

  /** Where another product was faster, the greatest loss first, or smaller. */
  List<String> losses() {
    Stream<String> time = comparisons()
        .filter(loss -> loss.median() < 1)
        .sorted(Comparator.comparingDouble(Comparison::median))
        .map(loss -> "%s, %s: %s takes %s of Tidegate's time"
            .formatted(
                results.title(loss.measured.scenario()),
                loss.measured.threadsLabel(),
                loss.competitor.label,
                RATIO.of(loss.ratio)));
    return Stream.concat(time, ourBytes().flatMap(this::smaller)).toList();
  }

  private Stream<String> smaller(double ours) {
    return results.memory().stream()
        .filter(row -> row.bytes() < ours)
        .map(row -> "memory: %s takes %s B per identifier, Tidegate %s B"
            .formatted(row.competitor().label, COUNT.of(row.bytes()), COUNT.of(ours)));
  }

  /** Tidegate compared with each other product, in each case that was measured. */
  private Stream<Comparison> comparisons() {
    return results.settings().cases().stream()
        .flatMap(measured -> Competitor.products().stream()
            .filter(competitor -> competitor != Competitor.TIDEGATE)
            .flatMap(competitor -> comparison(measured, competitor)));
  }

  private Stream<Comparison> comparison(Case measured, Competitor competitor) {
    Rounds<Results.Decision> rows = results
        .decisions()
        .where(row -> row.measured().equals(measured) && row.competitor() == competitor);
    return rows.isEmpty()
        ? Stream.empty()
        : Stream.of(new Comparison(measured, competitor, rows.of(results.ratio())));
  }
}
